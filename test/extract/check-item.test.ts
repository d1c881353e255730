import { describe, expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { checkItem } from '../../src/extract/check-item.ts'

const path = 'pages[1].item'

function refusalOf(spec: unknown): string {
  try {
    checkItem(spec, path)
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'CONFIG_INVALID') return thrown.message
    throw thrown
  }
  return ''
}

const text = { selector: 'h1', source: { kind: 'text' }, type: 'text', list: false } as const

describe('what is accepted', () => {
  test.each([
    ['a selector', 'h1', text],
    ['a list of its matches', ['h1'], { ...text, list: true }],
    ['a map with a selector alone', { selector: 'h1' }, text],
    ['text by its cheerio name, as it is', { selector: 'h1', value: 'textContent' }, { ...text, type: 'raw' }],
    ['text by name', { selector: 'h1', value: 'text' }, text],
    ['markup', { selector: 'h1', type: 'html' }, { ...text, source: { kind: 'innerHTML' }, type: 'raw' }],
    ['outer markup', { selector: 'h1', value: 'outerHTML' }, { ...text, source: { kind: 'outerHTML' }, type: 'raw' }],
    [
      'an attribute',
      { selector: 'h1', value: 'src' },
      { ...text, source: { kind: 'attribute', name: 'src' }, type: 'raw' },
    ],
    [
      'an attribute that is called like something else',
      { selector: 'h1', value: 'text', type: 'attr' },
      { ...text, source: { kind: 'attribute', name: 'text' }, type: 'raw' },
    ],
    [
      'an attribute that is there or not',
      { selector: 'h1', value: 'checked' },
      { ...text, source: { kind: 'attribute', name: 'checked' }, type: 'boolean' },
    ],
    [
      'an attribute as a type',
      { selector: 'h1', value: 'data-N', type: 'number' },
      { ...text, source: { kind: 'attribute', name: 'data-n' }, type: 'number' },
    ],
    ['a type alone', { selector: 'h1', type: 'date' }, { ...text, source: { kind: 'natural' }, type: 'date' }],
    ['the text as a type', { selector: 'h1', value: 'text', type: 'date' }, { ...text, type: 'date' }],
    [
      'a nested item',
      [{ selector: 'h1', value: { a: { value: 'href' } } }],
      {
        selector: 'h1',
        source: {
          kind: 'group',
          fields: { a: { selector: null, source: { kind: 'attribute', name: 'href' }, type: 'raw', list: false } },
        },
        type: 'raw',
        list: true,
      },
    ],
    ['own text', { selector: 'h1', value: 'ownText' }, { ...text, source: { kind: 'ownText' } }],
    ['another match', { selector: 'h1', pick: -2 }, { ...text, pick: -2 }],
    ['the last match', { selector: 'h1', pick: 'last' }, { ...text, pick: -1 }],
    ['the first match, which is meant anyway', { selector: 'h1', pick: 'first' }, text],
    ['a number of matches', { selector: 'h1', count: true }, { ...text, source: { kind: 'count' }, type: 'raw' }],
    ['whether there is one', { selector: 'h1', exists: true }, { ...text, source: { kind: 'exists' }, type: 'raw' }],
    ['a table', { selector: 'h1', table: true }, { ...text, source: { kind: 'table', shape: 'rows' }, type: 'raw' }],
    [
      'a pattern, which need not be of one line',
      { selector: 'h1', pattern: '(?<a>.)\n', flags: 'is' },
      { ...text, pattern: { source: '(?<a>.)\n', flags: 'is' } },
    ],
    [
      'forms of a date',
      { selector: 'h1', value: 'text', type: 'date', format: 'DD.MM.YYYY', locale: 'de' },
      {
        ...text,
        type: 'date',
        format: ['DD.MM.YYYY'],
        locale: 'de',
      },
    ],
    ['what holds without a value', { selector: 'h1', default: { a: [1] } }, { ...text, default: { a: [1] } }],
    ['what must be there', { selector: 'h1', required: true }, { ...text, required: 'item' }],
    ['what should be there', { selector: 'h1', required: 'flag' }, { ...text, required: 'flag' }],
    ['what need not be there', { selector: 'h1', required: false }, text],
    [
      'a link, which is a URL by itself',
      { selector: 'h1', follow: 'product' },
      { ...text, source: { kind: 'natural' }, type: 'url', follow: 'product' },
    ],
    [
      'a constant',
      { constant: [null, { a: 1 }] },
      { selector: null, source: { kind: 'constant', value: [null, { a: 1 }] }, type: 'raw', list: false },
    ],
    [
      'what is known of the page',
      { context: 'header:Last-Modified', type: 'date' },
      { selector: null, source: { kind: 'context', name: 'header:Last-Modified' }, type: 'date', list: false },
    ],
  ])('%s', (_, spec, field) => {
    expect(checkItem({ field: spec }, path)).toEqual({ field })
  })

  test('a checked item crosses to a thread as it is', () => {
    const schema = checkItem(
      { a: 'h1', b: [{ selector: 'tr', value: { c: { selector: 'td:first', type: 'number' } } }] },
      path,
    )
    expect(structuredClone(schema)).toEqual(schema)
  })

  test('fields keep the order in which they are written', () => {
    expect(Object.keys(checkItem({ z: 'a', a: 'b', m: 'i' }, path))).toEqual(['z', 'a', 'm'])
  })
})

const nested = (inner: unknown): unknown => [{ selector: 'tr.offer', value: inner }]

describe('what is refused, with its place', () => {
  test.each<[unknown, string]>([
    ['h1', 'pages[1].item: "h1" is not accepted; expected a map of field names to selectors'],
    [null, 'pages[1].item: null is not accepted'],
    [['h1'], 'pages[1].item: ["h1"] is not accepted'],
    [{}, 'pages[1].item: {} is not accepted; expected at least one field'],
    [{ title: '' }, 'pages[1].item.title: "" is not accepted; expected a CSS selector'],
    [{ title: 5 }, 'pages[1].item.title: 5 is not accepted'],
    [{ title: null }, 'pages[1].item.title: null is not accepted'],
    [{ title: {} }, 'pages[1].item.title: {} is not accepted'],
    [{ title: [] }, 'pages[1].item.title: [] is not accepted; expected a list of exactly one'],
    [{ title: ['a', 'b'] }, 'pages[1].item.title: ["a","b"] is not accepted; expected a list of exactly one'],
    [{ title: [{ value: 'href' }] }, 'pages[1].item.title.selector: is missing'],
    [{ title: { slector: 'h1' } }, 'pages[1].item.title.slector: "h1" is not accepted'],
    [{ title: { slector: 'h1' } }, 'did you mean "selector"?'],
    [
      { title: { selector: 'h1', type: 'numbr' } },
      'pages[1].item.title.type: "numbr" is not accepted; expected text, html, attr,',
    ],
    [{ title: { selector: 'h1', type: 'numbr' } }, 'did you mean "number"?'],
    [
      { title: { selector: 'h1', type: 'attr' } },
      'pages[1].item.title.value: is missing; expected the name of the attribute',
    ],
    [{ title: { selector: 'h1', value: 'outerHtml' } }, 'did you mean "outerHTML"?'],
    [{ title: { selector: 'h1', value: 'a b' } }, 'pages[1].item.title.value: "a b" is not accepted'],
    [{ title: { selector: 'h1', value: 5 } }, 'pages[1].item.title.value: 5 is not accepted'],
    [
      { title: { selector: 'h1', value: { a: 'b' }, type: 'text' } },
      'pages[1].item.title.type: "text" is not accepted',
    ],
    [{ _url: 'h1' }, 'pages[1].item: "_url" is not accepted; expected field names that do not begin with "_"'],
    [{ constructor: 'h1' }, 'pages[1].item: "constructor" is not accepted'],
    [JSON.parse('{ "__proto__": "h1" }'), 'pages[1].item: "__proto__" is not accepted'],
    [{ offers: nested(JSON.parse('{ "__proto__": "h1" }')) }, 'pages[1].item.offers: "__proto__" is not accepted'],
    [
      { offers: nested({ price: { selector: 'td >> a' } }) },
      'pages[1].item.offers.price.selector: "td >> a" is not a selector',
    ],
    [{ offers: nested({ price: { selector: 'td >> a' } }) }, 'at position 5, "> a"'],
    [{ 'net price': '' }, 'pages[1].item["net price"]: "" is not accepted'],
    [{ title: 'a:frist' }, 'there is no pseudo-class :frist, at position 2, ":frist"; did you mean ":first"?'],
    [{ a: { selector: 'h1', pick: 0 } }, 'pages[1].item.a.pick: 0 is not accepted; expected first, last, or a number'],
    [{ a: { value: 'text', pick: 2 } }, 'pages[1].item.a.pick: 2 is not accepted; expected a selector beside it'],
    [{ a: [{ selector: 'h1', pick: 2 }] }, 'pages[1].item.a.pick: 2 is not accepted; expected no pick in a list'],
    [{ a: { selector: 'h1', nth: 2 } }, 'did you mean "pick"?'],
    [{ a: { selector: 'h1', regex: 'x' } }, 'did you mean "pattern"?'],
    [{ a: { selector: 'h1', count: false } }, 'pages[1].item.a.count: false is not accepted; expected true'],
    [{ a: { count: true } }, 'pages[1].item.a.selector: is missing; expected a selector, since count'],
    [{ a: [{ selector: 'h1', exists: true }] }, 'expected no list, since exists is one value of all matches'],
    [{ a: { selector: 'h1', count: true, exists: true } }, 'pages[1].item.a.exists: true is not accepted'],
    [{ a: { selector: 'h1', count: true, default: 0 } }, 'pages[1].item.a.default: 0 is not accepted'],
    [{ a: { selector: 'h1', table: true, type: 'number' } }, 'pages[1].item.a.type: "number" is not accepted'],
    [
      { a: { selector: 'h1', table: 'columns' } },
      'pages[1].item.a.table: "columns" is not accepted; expected true, rows',
    ],
    [{ a: { selector: 'h1', value: { b: 'c' }, pattern: 'x' } }, 'expected no pattern beside a nested item'],
    [{ a: { selector: 'h1', pattern: '(a' } }, 'pages[1].item.a.pattern: "(a" is no regular expression: Unterminated'],
    [{ a: { selector: 'h1', pattern: '(?<constructor>a)' } }, 'pages[1].item.a.pattern: "constructor" is not accepted'],
    [{ a: { selector: 'h1', pattern: 'a', flags: 'g' } }, 'pages[1].item.a.flags: "g" is not accepted'],
    [{ a: { selector: 'h1', flags: 'i' } }, 'pages[1].item.a.flags: "i" is not accepted; expected a pattern'],
    [{ a: { selector: 'h1', whitespace: 'trimm' } }, 'did you mean "trim"?'],
    [{ a: { selector: 'h1', locale: 'de' } }, 'pages[1].item.a.locale: "de" is not accepted; expected a field of type'],
    [{ a: { selector: 'h1', type: 'number', locale: 'xx-nowhere' } }, 'expected a language tag'],
    [{ a: { selector: 'h1', type: 'date', format: 'HH:mm' } }, 'is no form of a date: it has no year and month'],
    [{ a: { selector: 'h1', type: 'date', format: 'D.M.YYYY DD' } }, 'is no form of a date: it has the day twice'],
    [{ a: { selector: 'h1', type: 'boolean', words: { yes: ['ja'] } } }, 'pages[1].item.a.words.yes: ["ja"]'],
    [{ a: { selector: 'h1', type: 'boolean', words: {} } }, 'pages[1].item.a.words: {} is not accepted'],
    [{ a: { selector: 'h1', default: 1, required: true } }, 'pages[1].item.a.required: true is not accepted'],
    [{ a: { selector: 'h1', default: () => 1 } }, 'pages[1].item.a.default:'],
    [{ a: { selector: 'h1', required: 'yes' } }, 'pages[1].item.a.required: "yes" is not accepted'],
    [{ a: { selector: 'h1', type: 'number', follow: true } }, 'expected a field of type url for it'],
    [{ a: { constant: 1, type: 'number' } }, 'pages[1].item.a.type: "number" is not accepted; expected constant'],
    [{ a: { context: 'finalURL' } }, 'did you mean "finalUrl"?'],
    [{ a: { context: 'url', selector: 'h1' } }, 'pages[1].item.a.selector: "h1" is not accepted'],
    [{ a: { from: 'nowhere' } }, 'pages[1].item.a.from: "nowhere" is not accepted'],
    [{ offers: nested({ price: { selector: 'td', pattern: '[' } }) }, 'pages[1].item.offers.price.pattern: "["'],
  ])('%j', (spec, message) => {
    expect(refusalOf(spec)).toContain(message)
  })

  test('a map inside itself', () => {
    const spec: Record<string, unknown> = { selector: 'a' }
    spec.value = { inner: spec }
    expect(refusalOf({ field: spec })).toContain('nested at most 16 deep')
  })

  test('a message is one line of bounded length, whatever the value', () => {
    expect(refusalOf({ title: { selector: `h1 ${'x\n'.repeat(500)}[` } }).length).toBeLessThan(400)
  })
})
