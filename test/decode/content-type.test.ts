import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentTypeOf } from '../../src/decode/content-type.ts'

describe('a Content-Type header', () => {
  test.each([
    ['', '', null],
    ['text/html', 'text/html', null],
    ['Text/HTML; Charset=UTF-8', 'text/html', 'utf-8'],
    ['text/html;charset="utf-8"', 'text/html', 'utf-8'],
    ["text/html; charset='utf-8'", 'text/html', 'utf-8'],
    ['text/html; charset = "gbk" ; x=y', 'text/html', 'gbk'],
    ['text/html; charset="utf-8', 'text/html', 'utf-8'],
    ['text/html; charset="utf\\-8"', 'text/html', 'utf-8'],
    ['text/html charset=utf-8', 'text/html', 'utf-8'],
    ['text/html;;;charset=utf-8;', 'text/html', 'utf-8'],
    ['text/html; charset=; charset=gbk', 'text/html', 'gbk'],
    ['text/html; charset=gbk; charset=utf-8', 'text/html', 'gbk'],
    ['text/html; x="charset=gbk"; charset=utf-8', 'text/html', 'utf-8'],
    ['text/html; x="; charset=gbk"; charset=utf-8', 'text/html', 'utf-8'],
    ['text/html; xcharset=gbk', 'text/html', null],
    ['charset=utf-8', '', 'utf-8'],
    ['; charset=utf-8', '', 'utf-8'],
    ['html', '', null],
    ['text/', '', null],
    ['text/html/x', '', null],
    ['application/xhtml+xml ; charset=x', 'application/xhtml+xml', 'x'],
  ])('%j is read', (header, essence, charset) => {
    expect(contentTypeOf(header)).toEqual({ essence, charset })
  })

  test.each([
    ['text/html; charset=gbk, text/plain', 'text/plain', null],
    ['text/html; charset=gbk, text/html', 'text/html', 'gbk'],
    ['text/html, text/html; charset=gbk', 'text/html', 'gbk'],
    ['text/html; charset=gbk, text/html; charset=utf-8', 'text/html', 'utf-8'],
    ['text/plain; charset=gbk, text/html, text/html', 'text/html', null],
    ['text/html; charset=gbk, */*', 'text/html', 'gbk'],
    ['text/html; charset=gbk, junk', 'text/html', 'gbk'],
    ['text/html; x=",text/plain"; charset=gbk', 'text/html', 'gbk'],
  ])('%j, as repeated headers are joined, is read as the Fetch standard reads it', (header, essence, charset) => {
    expect(contentTypeOf(header)).toEqual({ essence, charset })
  })

  test('any text gives an answer, in time linear to it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "'", ';', ',', '=', '/', ' ', 'charset', 'text', '\\') }),
        text => {
          const { essence, charset } = contentTypeOf(text)
          return /^([^\s/]+\/[^\s/]+)?$/.test(essence) && charset !== ''
        },
      ),
    )
    expect(contentTypeOf('"'.repeat(65_537)).charset).toBeNull()
    expect(contentTypeOf(`text/html; charset=${' '.repeat(65_536)}x`).charset).toBe('x')
  })
})
