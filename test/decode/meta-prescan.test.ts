import { describe, expect, test } from 'vitest'
import { prescanMeta } from '../../src/decode/meta-prescan.ts'
import { xmlDeclaredCharset } from '../../src/decode/xml-declaration.ts'

describe('the prescan', () => {
  test.each([
    ['<meta charset=gbk>', 'gbk'],
    ['<META CHARSET = "GBK" />', 'gbk'],
    ['<meta/charset=gbk>', 'gbk'],
    ["<meta\ncharset='gbk'>", 'gbk'],
    ['<metacharset=gbk>', null],
    ['<meta charset=gbk', null],
    ['<meta charset="gbk>', null],
    ['<meta charset=nonsense><meta charset=gbk>', 'gbk'],
    ['<meta charset=gbk charset=utf-8>', 'gbk'],
    ['<meta charset=nonsense content="charset=gbk" http-equiv=content-type>', null],
    ['<meta content="charset=gbk" charset=nonsense http-equiv=content-type>', null],
    ['<meta content="text/html; charset=gbk">', null],
    ['<meta content="text/html; charset=gbk" http-equiv=content-type>', 'gbk'],
    ['<meta http-equiv=Content-Type content="charset; charset = gbk ; x">', 'gbk'],
    ['<meta http-equiv=content-type content=\'charset="gbk"\'>', 'gbk'],
    ["<meta http-equiv=content-type content='charset=\"gbk'>", null],
    ['<meta http-equiv=refresh content="charset=gbk">', null],
    ['<!-- <meta charset=utf-8> --><meta charset=gbk>', 'gbk'],
    ['<!--><meta charset=gbk>', 'gbk'],
    ['<!-- <meta charset=gbk>', null],
    ['<a title="<meta charset=utf-8>"><meta charset=gbk>', 'gbk'],
    ["</a b='<meta charset=utf-8>'><meta charset=gbk>", 'gbk'],
    ['<a title="<meta charset=gbk>', null],
    ['<?php <meta charset=utf-8><meta charset=gbk>', 'gbk'],
    ['<!doctype <meta charset=utf-8><meta charset=gbk>', 'gbk'],
    ['<3 <meta charset=gbk>', 'gbk'],
    ['<meta =charset=utf-8 charset=gbk>', 'gbk'],
    ['<script>"<meta charset=gbk>"</script>', 'gbk'],
    ['<meta charset=iso-2022-kr><meta charset=gbk>', 'gbk'],
    ['', null],
  ])('of %s finds %j', (text, charset) => {
    expect(prescanMeta(text)).toBe(charset)
  })

  test('is linear in hostile pages', () => {
    const sizes = ['<', '<!--', '<a ', '<a b=', '<meta ', '<meta content="charset ', '</', '<a "', '<!', '<a =', '<p>']
    for (const unit of sizes) expect(prescanMeta(unit.repeat(300_000 / unit.length))).toBeNull()
  })
})

test.each([
  ['<?xml version="1.0" encoding="gbk"?>', 'gbk'],
  ["\n<?xml encoding = 'GBK' standalone='yes' ?>", 'gbk'],
  ['<?xml version="1.0" encoding="utf-16"?>', 'utf-8'],
  ['<?xml version="1.0"?><a encoding="gbk">', null],
  ['<?xml version="1.0" encoding="g bk"?>', null],
  ['<?xml version="1.0" encoding="gbk"', null],
  ['<a><?xml encoding="gbk"?>', null],
])('the XML declaration of %j names %j', (text, charset) => {
  expect(xmlDeclaredCharset(text)).toBe(charset)
})
