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
