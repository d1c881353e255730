import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText } from '../../src/decode/charset.ts'
import { concat, hex, utf8 } from './codings.ts'

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const utf16 = (text: string, isBigEndian = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le')
  return Uint8Array.from(isBigEndian ? bytes.swap16() : bytes)
}
/** Привет in windows-1251. */
const cyrillic = hex('cff0e8e2e5f2')

describe('the charset of a page is, in this order,', () => {
  test('its byte order mark, whatever the header says, and the mark is not part of the text', () => {
    expect(decodeText(concat(hex('efbbbf'), utf8('<p>Привет!</p>')), 'text/html; charset=cp1251')).toMatchObject({
      text: '<p>Привет!</p>',
      charset: 'utf-8',
      source: 'bom',
    })
    for (const [mark, charset, isBig] of [
      ['fffe', 'utf-16le', false],
      ['feff', 'utf-16be', true],
    ] as const)
      expect(decodeText(concat(hex(mark), utf16('<p>é', isBig)), 'text/html; charset=utf-8')).toMatchObject({
        text: '<p>é',
        charset,
        source: 'bom',
      })
  })

  test('the header, if its label is known', () => {
    const page = concat(utf8('<meta charset=utf-8><p>'), cyrillic)
    expect(decodeText(page, 'text/html; charset=CP1251')).toMatchObject({
      text: '<meta charset=utf-8><p>Привет',
      charset: 'windows-1251',
      source: 'header',
    })
    expect(decodeText(utf16('<p>é'), 'text/html; charset=utf-16')).toMatchObject({ text: '<p>é', source: 'header' })
    expect(decodeText(utf16('<p>é', true), 'text/html; charset=utf-16be')).toMatchObject({ text: '<p>é' })
  })

  test.each(['text/html; charset=ISO-88509-1', 'text/html', '', 'text/html; charset=iso-2022-kr'])(
    'valid UTF-8 under %j, which names no charset to read in',
    header => {
      expect(decodeText(utf8('<p>é</p>'), header)).toMatchObject({
        text: '<p>é</p>',
        charset: 'utf-8',
        source: 'utf-8',
      })
    },
  )

  test('a meta tag or an XML declaration in the first 1024 bytes', () => {
    for (const declaration of [
      '<meta charset=windows-1251>',
      '<meta http-equiv=content-type content="text/html; charset=windows-1251">',
      '<?xml version="1.0" encoding="windows-1251"?>',
    ])
      expect(decodeText(concat(utf8(declaration), cyrillic), 'text/html')).toMatchObject({
        text: `${declaration}Привет`,
        charset: 'windows-1251',
        source: 'meta',
      })
  })

  test('the XML declaration before a meta tag where the type is XML, and behind it where not', () => {
    const page = concat(utf8('<?xml version="1.0" encoding="koi8-r"?><meta charset="windows-1251">'), cyrillic)
    expect(decodeText(page, 'application/xhtml+xml').charset).toBe('koi8-r')
    expect(decodeText(page, 'text/html').charset).toBe('windows-1251')
  })

  test('UTF-16 where the first tag is two bytes wide', () => {
    for (const isBig of [false, true])
      for (const text of ['<?xml version="1.0"?><p>é', '<!DOCTYPE html>é', '<html>'])
        expect(decodeText(utf16(text, isBig), 'text/html')).toMatchObject({
          text,
          charset: isBig ? 'utf-16be' : 'utf-16le',
          source: 'meta',
        })
  })

  test('UTF-8 where a meta tag says UTF-16, and windows-1252 where it says x-user-defined', () => {
    expect(decodeText(utf8('<meta charset=utf-16><p>é'), '')).toMatchObject({ charset: 'utf-8', source: 'meta' })
    expect(decodeText(latin('<meta charset=x-user-defined>é'), '')).toMatchObject({ charset: 'windows-1252' })
  })

  test('a meta tag further down where the bytes are not UTF-8', () => {
    const late = `<!--${' '.repeat(3000)}--><meta charset=windows-1251>`
    expect(decodeText(concat(utf8(late), cyrillic), '')).toMatchObject({
      text: `${late}Привет`,
      charset: 'windows-1251',
      source: 'meta',
    })
    expect(decodeText(utf8(`${late}Привет`), '')).toMatchObject({ charset: 'utf-8', source: 'utf-8' })
  })

  test('windows-1252, or the fallback that was asked for', () => {
    expect(decodeText(hex('636166e9208080'), 'text/html')).toMatchObject({
      text: 'café €€',
      charset: 'windows-1252',
      source: 'fallback',
    })
    expect(decodeText(cyrillic, 'text/html', { fallback: 'cp1251' })).toMatchObject({
      text: 'Привет',
      charset: 'windows-1251',
      source: 'fallback',
    })
    expect(() => decodeText(cyrillic, 'text/html', { fallback: 'klingon' })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })

  test('UTF-8 for a page of it that has a few broken bytes or was cut inside a character', () => {
    const page = utf8('<p>Привет, мир</p>')
    expect(decodeText(concat(page, hex('d0')), '')).toMatchObject({
      text: '<p>Привет, мир</p>\ufffd',
      charset: 'utf-8',
      source: 'fallback',
    })
    expect(decodeText(concat(hex('ff'), page), '').text).toBe('\ufffd<p>Привет, мир</p>')
  })
})

describe('the bytes of UTF-8', () => {
  test('are given without their mark, also where nothing but ASCII is said to be in another charset', () => {
    const marked = concat(hex('efbbbf'), utf8('<p>\u00e9'))
    expect(decodeText(marked, '').utf8).toEqual(utf8('<p>\u00e9'))
    expect(decodeText(utf8('<p>e'), 'text/html; charset=windows-1251').utf8).toEqual(utf8('<p>e'))
  })

  test.each([
    ['windows-1251', 'cff0'],
    ['utf-16le', '3c0070003e00'],
    ['iso-2022-jp', '1b2442467c1b2842'],
  ])('are not those of %s', (charset, bytes) => {
    expect(decodeText(hex(bytes), `text/html; charset=${charset}`).utf8).toBeNull()
  })
})

describe('broken bytes', () => {
  test.each([
    ['utf-8', 'e28261ff', '\ufffda\ufffd'],
    ['utf-16le', '00d86100', '\ufffda'],
    ['shift_jis', '81', '\ufffd'],
    ['euc-kr', 'b0ff61', '\ufffda'],
    ['gb18030', '8130', '\ufffd'],
    ['windows-1253', 'd2', '\ufffd'],
  ])('of %s become U+FFFD', (charset, bytes, text) => {
    expect(decodeText(hex(bytes), `text/html; charset=${charset}`).text).toBe(text)
  })

  test('never fail, in any charset', () => {
    const charsets = ['utf-8', 'utf-16le', 'utf-16be', 'big5', 'euc-jp', 'euc-kr', 'gbk', 'gb18030', 'iso-2022-jp']
    const header = fc.constantFrom('', ...[...charsets, 'shift_jis', 'koi8-u', 'x-user-defined', 'replacement'])
    const html = fc.constantFrom('', '<meta charset=', '<?xml encoding="', '<!--', '<meta content="charset=', "<a b='")
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), header, html, (bytes, charset, start) => {
        const page = concat(utf8(start), bytes)
        const { text } = decodeText(page, charset === '' ? '' : `text/html; charset=${charset}`)
        return text.length <= page.byteLength
      }),
      { numRuns: 3000 },
    )
  })
})

test('UTF-8 text comes back as it was, with or without a label', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const page = utf8(`<p>${text}`)
      return ['', 'text/html; charset=utf8'].every(header => decodeText(page, header).text === `<p>${text}`)
    }),
  )
})

test('bytes that are a view of a larger buffer are read as the view', () => {
  const whole = concat(utf8('<meta charset=koi8-r>'), cyrillic, utf8('<meta charset=gbk>'))
  expect(decodeText(whole.subarray(21, 27), 'text/html; charset=windows-1251').text).toBe('Привет')
  expect(decodeText(whole.subarray(21, 27), '', { fallback: 'windows-1251' }).text).toBe('Привет')
})
