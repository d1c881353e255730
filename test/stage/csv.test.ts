import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import type { Item, JsonValue } from '../../src/core/wire.ts'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { columnsOf, namedColumns } from '../../src/stage/columns.ts'
import { csvText } from '../../src/stage/csv.ts'
import { headOf, linesOf } from '../../src/stage/line-format.ts'

/** A file of these items, as two readers by others have it. */
function readBack(items: readonly Item[], names: readonly string[], guard: boolean): readonly string[][][] {
  const format = { kind: 'csv', columns: namedColumns(names), guard } as const
  const text = Buffer.concat([headOf(format) ?? new Uint8Array(0), linesOf(items, format)]).toString()
  return [parse(text) as string[][], Papa.parse<string[]>(text, { skipEmptyLines: true, delimiter: ',' }).data]
}

const opensFormula = (cell: string): boolean =>
  /^[=+\-@\t\r\n]/.test(cell) && !Number.isFinite(Number(cell.trim() || 'x'))

describe('CSV', () => {
  test('is what RFC 4180 says: CR LF, quotes doubled, one header', () => {
    const format = { kind: 'csv', columns: namedColumns(['a', 'b,c']), guard: true } as const
    const items = [
      { a: 'plain', 'b,c': 'say "hi"' },
      { a: 'two\nlines', 'b,c': null },
    ]
    expect(Buffer.from(headOf(format) ?? []).toString()).toBe('a,"b,c"\r\n')
    const columns = [
      { name: 'a', path: ['a'], kind: 'any' },
      { name: 'b,c', path: ['b,c'], kind: 'any' },
    ] as const
    expect(Buffer.from(linesOf(items, { ...format, columns })).toString()).toBe(
      'plain,"say ""hi"""\r\n"two\nlines",\r\n',
    )
  })

  test('tells an empty text from no value', () => {
    const format = { kind: 'csv', columns: namedColumns(['a', 'b']), guard: true } as const
    expect(
      Buffer.from(
        linesOf(
          [
            { a: '', b: null },
            { a: '', b: 'x' },
          ],
          format,
        ),
      ).toString(),
    ).toBe('"",\r\n"",x\r\n')
  })

  test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '=HYPERLINK("http://evil.test")'])(
    'gives %j an apostrophe, also as the name of a column',
    text => {
      for (const rows of readBack([{ [text]: text }], [text], true)) {
        if (!text.includes('.')) expect(rows).toEqual([[`'${text}`], [`'${text}`]])
        else expect(rows[0]).toEqual([`'${text}`])
      }
    },
  )

  test('leaves numbers as they are, as values and as text', () => {
    const [rows] = readBack([{ a: -3.5, b: '-3.5', c: '+49170', d: '-1e-5', e: '.5' }], ['a', 'b', 'c', 'd', 'e'], true)
    expect(rows?.[1]).toEqual(['-3.5', '-3.5', '+49170', '-1e-5', '.5'])
  })

  test('leaves every text as it is where formulas are kept', () => {
    expect(readBack([{ a: '=1+1' }], ['a'], false)[0]?.[1]).toEqual(['=1+1'])
  })

  test('has lists and objects as JSON in a cell', () => {
    const value: JsonValue = [{ price: 1, note: 'a, "b"' }]
    for (const rows of readBack([{ a: value }], ['a'], true)) expect(JSON.parse(rows[1]?.[0] ?? '')).toEqual(value)
  })

  const naughty = new URL('../../../shared/data/naughty-strings/blns.json', import.meta.url)
  test.skipIf(!existsSync(naughty))(
    'gives every naughty string back to two readers, and none of them as a formula',
    () => {
      const strings: string[] = JSON.parse(readFileSync(naughty, 'utf8'))
      expect(strings.length).toBeGreaterThan(400)
      const items = strings.map((text, nth) => ({ nth, text, again: text }))
      for (const guard of [true, false])
        for (const rows of readBack(items, ['nth', 'text', 'again'], guard)) {
          expect(rows.length).toBe(items.length + 1)
          for (const [nth, text] of strings.entries()) {
            // A lone half of a pair is no text of UTF-8.
            const wanted = Buffer.from(text).toString()
            const [, cell = ''] = rows[nth + 1] ?? []
            expect(cell.replace(guard && cell !== wanted ? /^'/ : /^$/, '')).toBe(wanted)
            if (guard) expect(opensFormula(cell), cell).toBe(false)
          }
        }
    },
  )
  if (!existsSync(naughty)) console.log('skipped: naughty strings are not here')

  test('gives any text back, at any place in a row', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        rows => {
          const items = rows.map(([a = '', b = '']) => ({ a, b }))
          for (const read of readBack(items, ['a', 'b'], false)) expect(read.slice(1)).toEqual(rows)
        },
      ),
    )
  })

  test('never leaves a text that opens a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        text => !opensFormula(Papa.parse<string[]>(csvText(text, true)).data[0]?.[0] ?? ''),
      ),
    )
  })
})

describe('columns', () => {
  const rule = (name: string, item: object): PageRule => ({
    name,
    match: null,
    item: checkItem(item, 'item'),
    follow: [],
    parser: 'fast',
  })
  const kinds = (pages: readonly PageRule[]): string[] =>
    columnsOf(pages, { ids: false, charset: false }).map(({ name, kind }) => `${name} ${kind}`)

  test('are the fields of the schema in their order, groups joined by dots, and what items say of their page', () => {
    const item = {
      title: 'h1',
      price: { selector: '.p', type: 'number' },
      offer: { selector: '.o', value: { seller: '.s', stock: { selector: '.n', type: 'boolean' } } },
      tags: ['.tag'],
      rows: [{ selector: 'tr', value: { a: 'td' } }],
    }
    expect(kinds([rule('a', item)])).toEqual([
      'title text',
      'price number',
      'offer.seller text',
      'offer.stock boolean',
      'tags json',
      'rows json',
      '_url text',
      '_finalUrl text',
      '_page text',
      '_at text',
    ])
  })

  test('of several page rules are all of theirs, and of any kind where they differ', () => {
    const pages = [rule('a', { x: 'h1', y: 'h2' }), rule('b', { y: { selector: 'b', type: 'number' }, z: 'i' })]
    expect(kinds(pages).slice(0, 3)).toEqual(['x text', 'y any', 'z text'])
  })

  test('with a default of another kind than the field are of any kind', () => {
    expect(kinds([rule('a', { x: { selector: 'b', type: 'number', default: 'none' } })])[0]).toBe('x any')
  })
})
