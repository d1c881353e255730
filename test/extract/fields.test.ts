import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldTypes } from '../../src/extract/fields/index.ts'
import type { TypeOptions, ValueType } from '../../src/extract/schema.ts'

const page = { baseUrl: 'http://shop.test/a/b?c=d' }
const read = (type: ValueType, text: string): unknown => fieldTypes[type].read(text, page)

describe.each(Object.entries(fieldTypes))('the type %s', (_, type) => {
  test('reads any text without failing, as a value that JSON can hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-−€$ .,'\d:TZ+]*$/)), text => {
        const value = type.read(text, page)
        expect(JSON.parse(JSON.stringify(value))).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test('reads the same text the same way twice', () => {
    for (const text of ['1,5', '2024-05-01', 'yes', '{}', '/x'])
      expect(type.read(text, page)).toEqual(type.read(text, page))
  })

  test('reads a megabyte in no time', () => {
    for (const text of [' ', '1', '1,', '1 ', '2024-', '<!--', '{', 'a.b'].map(part =>
      part.repeat(1_000_000 / part.length),
    ))
      type.read(text, page)
  })

  test('knows no attribute of an element that is called like a property of objects', () => {
    for (const tag of ['constructor', '__proto__', 'toString']) expect(type.attributeOf(tag)).toSatisfy(isStringOrNull)
  })
})

const isStringOrNull = (value: unknown): boolean => value === null || value === 'content' || typeof value === 'string'

describe('number', () => {
  test.each([
    ['1,234.56', 1234.56],
    ['1.234,56 €', 1234.56],
    ['£51.77', 51.77],
    ['1 234,56', 1234.56],
    ['1\u00a0234,56', 1234.56],
    ['1\u202f234\u202f567', 1234567],
    ["1'234.50", 1234.5],
    ['1’234’567', 1234567],
    ['1,23,456.7', 123456.7],
    ['1,234', 1234],
    ['1,234,567', 1234567],
    ['1.234.567', 1234567],
    ['1.234', 1.234],
    ['1.299 €', 1299],
    ['€ 1.299', 1299],
    ['R$ 1.299', 1299],
    ['$1.299', 1.299],
    ['12,5', 12.5],
    ['0,125', 0.125],
    ['0.125', 0.125],
    ['1,5678', 1.5678],
    ['-3.5', -3.5],
    ['−3,5', -3.5],
    ['- 3.5', -3.5],
    ['-£5', -5],
    ['£-5', -5],
    ['USD -5', -5],
    ['A-5', 5],
    ['3-5', 3],
    ['Price - 5 EUR', 5],
    ['45 %', 45],
    ['45%', 45],
    ['.5', 0.5],
    ['No.5', 5],
    ['1e3', 1000],
    ['1.5E-3', 0.0015],
    ['In stock (22 available)', 22],
    ['4.5 out of 5', 4.5],
    ['\n  19.99\n', 19.99],
    ['１２３．５', 123.5],
    ['١٢٣٫٥', 123.5],
    ['m² 45', 45],
    ['007', 7],
    ['1.2.3', 1.2],
    ['', null],
    ['sold out', null],
    ['-', null],
    ['½', null],
    ['9'.repeat(400), null],
  ])('%j is %j', (text, value) => {
    expect(read('number', text)).toBe(value)
  })

  test('reads back any amount in the notations of five lands', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), cents => {
        const amount = cents / 100
        for (const land of ['en-US', 'de-DE', 'fr-FR', 'en-IN', 'de-CH'])
          expect(read('number', amount.toLocaleString(land, { minimumFractionDigits: 2 }))).toBe(amount)
      }),
    )
  })
})

describe('date', () => {
  test.each([
    ['2024-05-01', '2024-05-01'],
    ['2024-05', '2024-05'],
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00+02:00', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01T10:00:00.1234567-0730', '2024-05-01T17:30:00.123Z'],
    ['2024-05-01 10:00:00 +0200', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01T10:00', '2024-05-01T10:00:00'],
    ['2024-05-01 10:00:07', '2024-05-01T10:00:07'],
    ['20240501', '2024-05-01'],
    ['20240501T100000Z', '2024-05-01T10:00:00.000Z'],
    ['Published: 2024-05-01', '2024-05-01'],
    ['2024-05-01 10:00 PM', '2024-05-01'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01'],
    ['Wed, 01 May 2024 10:00:00 GMT', '2024-05-01T10:00:00.000Z'],
    ['Wed, 1 May 2024 10:00:00 +0200', '2024-05-01T08:00:00.000Z'],
    ['Wed, 1 May 2024 10:00 EDT', '2024-05-01T14:00:00.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['2024-02-30', null],
    ['2023-02-29', null],
    ['2024-13-01', null],
    ['2024-05-01T25:00Z', null],
    ['01/02/2024', null],
    ['1.2.2024', null],
    ['yesterday', null],
    ['12345-06-07', null],
    ['', null],
  ])('%j is %j', (text, value) => {
    expect(read('date', text)).toBe(value)
  })

  test('gives back any instant', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), instant => {
        expect(read('date', instant.toISOString())).toBe(instant.toISOString())
        expect(read('date', instant.toUTCString())).toBe(`${instant.toISOString().slice(0, 19)}.000Z`)
      }),
    )
  })
})

describe('url', () => {
  test.each([
    ['x.html', 'http://shop.test/a/x.html'],
    [' \n/x\t', 'http://shop.test/x'],
    ['/x\ny', 'http://shop.test/xy'],
    ['//cdn.test/i.png', 'http://cdn.test/i.png'],
    ['?p=2#top', 'http://shop.test/a/b?p=2#top'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
    ['http://[bad', null],
    ['', null],
    ['  ', null],
  ])('%j is %j', (text, value) => {
    expect(read('url', text)).toBe(value)
  })
})

describe('boolean', () => {
  test.each([
    ['', true],
    ['In stock', true],
    ['yes', true],
    ['TRUE', true],
    ['1', true],
    [' No ', false],
    ['false', false],
    ['off', false],
    ['0', false],
  ])('%j is %j', (text, value) => {
    expect(read('boolean', text)).toBe(value)
  })

  test('is false where there is nothing', () => {
    expect(fieldTypes.boolean.absent).toBe(false)
  })
})

describe('json', () => {
  test.each([
    ['{"a": [1, null]}', { a: [1, null] }],
    [' 5 ', 5],
    ['<!-- {"a": 1} -->', { a: 1 }],
    ['<!--\n{"a": 1}\n//-->', { a: 1 }],
    ['//<![CDATA[\n{"a": 1}\n//]]>', { a: 1 }],
    ['/*<![CDATA[*/ {"a": 1} /*]]>*/', { a: 1 }],
    ['{"a": 1,}', null],
    ['', null],
    ['var a = 1', null],
  ])('%j is %j', (text, value) => {
    expect(read('json', text)).toEqual(value)
  })

  test('leaves the prototype of everything alone', () => {
    read('json', '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('text', () => {
  test.each([
    ['\n  A  Light\tin the\u00a0\u00a0Attic\n', 'A Light in the Attic'],
    ['', ''],
    [' \n ', ''],
  ])('%j is %j', (text, value) => {
    expect(read('text', text)).toBe(value)
  })
})

const tuned = (options: TypeOptions, text: string): unknown =>
  (fieldTypes[options.type].tuned?.(options) ?? fieldTypes[options.type].read)(text, page)

describe('a number of a land', () => {
  test.each([
    ['de', '1.234', 1234],
    ['de', '1.234,56 €', 1234.56],
    ['de', '1,234', 1.234],
    ['de', '12', 12],
    ['de', ',5', 0.5],
    ['de', '-3,5', -3.5],
    ['de', 'ab 3 von 5', 3],
    ['de', '1.5', 1.5],
    ['en', '1,234', 1234],
    ['en', '1.234', 1.234],
    ['en-IN', '12,34,567.8', 1234567.8],
    ['fr', '1\u202f234,5', 1234.5],
    ['de-CH', "1'234.50", 1234.5],
    ['cs', '1 234 567,1 Kč', 1234567.1],
    ['ar-EG', '١٬٢٣٤٫٥', 1234.5],
    ['de', 'ausverkauft', null],
  ])('%s: %s', (locale, text, value) => {
    expect(tuned({ type: 'number', locale }, text)).toBe(value)
  })
})

describe('a date of a land', () => {
  test.each([
    ['de', 'Erschienen am 1. Mai 2024', '2024-05-01'],
    ['de', '3. März 2024 um 10:30', '2024-03-03T10:30:00'],
    ['de', '01.02.2024', '2024-02-01'],
    ['de', '2024-05-01', '2024-05-01'],
    ['de', '99.99.2024', null],
    ['en-US', '01/02/2024, 3:05 PM', '2024-01-02T15:05:00'],
    ['en-GB', '01/02/2024', '2024-02-01'],
    ['en', 'May 1st, 2024', '2024-05-01'],
    ['en', 'Sept. 5, 2024', '2024-09-05'],
    ['en', 'Mayor 1, 2024', null],
    ['fr', '1er janvier 2024', '2024-01-01'],
    ['es', '1 de mayo de 2024', '2024-05-01'],
    ['ru', '5 мая 2024', '2024-05-05'],
    ['pl', '5 maja 2024', '2024-05-05'],
    ['ja', '2024年5月1日', '2024-05-01'],
  ])('%s: %s', (locale, text, value) => {
    expect(tuned({ type: 'date', locale }, text)).toBe(value)
  })
})

describe('a date of a form', () => {
  test.each([
    ['DD.MM.YY HH:mm', 'Posted: 03.12.24 14:05', '2024-12-03T14:05:00'],
    ['ddd D MMM YYYY', 'Fri 5 Jan 2024', '2024-01-05'],
    ['MM/DD/YYYY hh:mm A', '12/25/2024 12:05 am', '2024-12-25T00:05:00'],
    ['MM/DD/YYYY hh:mm A', '12/25/2024 13:05 am', null],
    ['MMMM YYYY', 'since March 2024', '2024-03'],
    ['[am] D.M.YYYY', 'am 1.2.2024', '2024-02-01'],
    ['YYYY-MM-DD HH:mm:ss Z', '2024-05-01 10:00:00 +02:00', '2024-05-01T08:00:00.000Z'],
    ['DD.MM.YYYY', '31.02.2024', null],
    ['DD.MM.YYYY', '101.02.20245', null],
    ['DD.MM.YYYY', '2024-05-01', null],
  ])('%s: %s', (format, text, value) => {
    expect(tuned({ type: 'date', format: [format] }, text)).toBe(value)
  })

  test('the first of several that fits', () => {
    expect(tuned({ type: 'date', format: ['DD.MM.YYYY', 'YYYYMMDD'] }, '20240501')).toBe('2024-05-01')
  })

  test('of a land, its months', () => {
    expect(tuned({ type: 'date', format: ['D MMM YYYY'], locale: 'fr' }, '5 févr. 2024')).toBe('2024-02-05')
  })
})

test('tuned types read a megabyte in no time', () => {
  for (const part of [' ', '1', '1,', '1 ', '01.', '1. ', 'a.b', 'mai '])
    for (const options of [
      { type: 'number', locale: 'de' },
      { type: 'date', locale: 'de' },
      { type: 'date', format: ['D. MMMM YYYY'] },
      { type: 'text', whitespace: 'lines' },
      { type: 'boolean', words: { true: ['ja'], false: [] } },
    ] as const)
      tuned(options, part.repeat(1_000_000 / part.length))
})
