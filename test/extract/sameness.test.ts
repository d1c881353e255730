import { load } from 'cheerio'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'
import { anyDocument, isRightInCheerio, plainDocument, relativeSelector, selector } from './documents.ts'

/** Documents for the widest of these properties; FUZZ asks for more of them. */
const cases = Number(process.env.FUZZ ?? 300)
const limitMs = 30_000 + cases * 50
const runs = (share: number): { readonly numRuns: number } => ({ numRuns: Math.ceil(cases * share) })

type Map = Parameters<ReturnType<typeof load>['extract']>[0]

const parsers = {
  fast: (html: string) => load(html, { xml: { xmlMode: false } }),
  browser: (html: string) => load(html, { scriptingEnabled: false }),
} as const
type ParserName = keyof typeof parsers
const parserNames = Object.keys(parsers) as ParserName[]

const ours = (html: string, map: Map, parser: ParserName): unknown =>
  createTreeEngine({ name: 'any', match: null, item: checkItem(map, 'item'), follow: [], parser }).read({
    html,
    url: 'http://shop.test/',
    wantLinks: false,
  }).item

/** What cheerio leaves undefined is null in JSON. */
const theirs = (html: string, map: Map, parser: ParserName): unknown =>
  JSON.parse(JSON.stringify(parsers[parser](html).extract(map), (_, value) => (value === undefined ? null : value)))

const value = fc.constantFrom('textContent', 'innerText', 'href', 'class', 'data-n', 'tagName')

const listOrNot = (field: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    field,
    field.map(spec => [spec]),
  )

const fieldBelow = (select: fc.Arbitrary<string>): fc.Arbitrary<object> =>
  listOrNot(fc.record({ selector: select, value }))

const groupBelow = (select: fc.Arbitrary<string>, inner: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  listOrNot(fc.record({ selector: select, value: fc.record({ one: inner, two: inner }) }))

const leaf = fieldBelow(relativeSelector)
const schema = fc.record({
  plain: fieldBelow(selector),
  group: groupBelow(selector, fc.oneof(leaf, groupBelow(relativeSelector, leaf))),
})

describe.each(parserNames)('the tree engine on %s', { timeout: limitMs }, parser => {
  test('finds what cheerio finds, in any document and by any selector', () => {
    fc.assert(
      fc.property(anyDocument, schema, (html, map) => {
        fc.pre(isRightInCheerio(html, JSON.stringify(map)))
        expect(ours(html, map as Map, parser)).toEqual(theirs(html, map as Map, parser))
      }),
      runs(1),
    )
  })

  test('an engine that has read other pages reads the next one as a new engine does', () => {
    const rule = (map: object) =>
      ({ name: 'any', match: null, item: checkItem(map, 'item'), follow: [], parser }) as const
    const read = (engine: ReturnType<typeof createTreeEngine>, html: string) =>
      engine.read({ html, url: 'http://shop.test/', wantLinks: false }).item
    fc.assert(
      fc.property(fc.array(anyDocument, { minLength: 2, maxLength: 5 }), schema, (pages, map) => {
        const worn = createTreeEngine(rule(map))
        for (const html of pages) expect(read(worn, html)).toEqual(read(createTreeEngine(rule(map)), html))
      }),
      runs(0.2),
    )
  })

  test('a plain string means the text of cheerio, trimmed and with its white space collapsed', () => {
    fc.assert(
      fc.property(anyDocument, selector, (html, select) => {
        fc.pre(isRightInCheerio(html, select))
        const all = theirs(html, { all: [select] }, parser) as { all: string[] }
        const collapsed = all.all.map(text => text.trim().replace(/\s+/g, ' '))
        expect(ours(html, { all: [select] }, parser)).toEqual({ all: collapsed })
      }),
      runs(0.5),
    )
  })
})

describe('markup', { timeout: limitMs }, () => {
  const map: Map = {
    inner: [{ selector: 'div, p', value: 'innerHTML' }],
    outer: [{ selector: '*', value: 'outerHTML' }],
  }

  test('of the browser parser is that of cheerio', () => {
    fc.assert(
      fc.property(anyDocument, html => {
        // cheerio writes the text of <noscript> as it would with scripting on.
        fc.pre(!html.includes('noscript'))
        expect(ours(html, map, 'browser')).toEqual(theirs(html, map, 'browser'))
      }),
      runs(0.8),
    )
  })

  test('of the fast parser is that of cheerio told to write as the HTML standard says', () => {
    fc.assert(
      fc.property(plainDocument, html => {
        const $ = load(html, { xml: { xmlMode: false, encodeEntities: 'utf8', emptyAttrs: true } as object })
        expect(ours(html, map, 'fast')).toEqual($.extract(map))
      }),
      runs(0.8),
    )
  })
})
