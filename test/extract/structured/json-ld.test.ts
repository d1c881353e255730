import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldOf, messageOf, plainFieldOf } from './read.ts'

const script = (json: string, type = 'application/ld+json'): string => `<script type="${type}">${json}</script>`
const ldOf = (...blocks: unknown[]): string => blocks.map(block => script(JSON.stringify(block))).join('\n')

const tea = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Tea',
  offers: [{ price: '4.50' }, { price: 5 }],
}
const crumbs = { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'Home' }] }

describe('objects are found by their type wherever they stand', () => {
  const product = { from: 'json-ld', of: 'Product', path: '$.name' }
  test.each<[string, string, unknown]>([
    ['alone', ldOf(tea), 'Tea'],
    ['in the second block', ldOf(crumbs, tea), 'Tea'],
    ['in a list', ldOf([crumbs, tea]), 'Tea'],
    ['in a graph', ldOf({ '@context': 'x', '@graph': [crumbs, tea] }), 'Tea'],
    ['in a graph that is one object', ldOf({ '@graph': tea }), 'Tea'],
    ['inside of another', ldOf({ '@type': 'WebPage', mainEntity: tea }), 'Tea'],
    ['with several types', ldOf({ ...tea, '@type': ['Thing', 'Product'] }), 'Tea'],
    ['by the URL of its type', ldOf({ ...tea, '@type': 'http://schema.org/Product' }), 'Tea'],
    ['with a prefix', ldOf({ ...tea, '@type': 'schema:Product' }), 'Tea'],
    ['in other letters', ldOf({ ...tea, '@type': 'product' }), 'Tea'],
    ['not by a part of the name', ldOf({ ...tea, '@type': 'ProductGroup' }), null],
    ['not where the type is no text', ldOf({ ...tea, '@type': { a: 1 } }), null],
    ['outer ones first', ldOf({ '@type': 'Order', item: { '@type': 'Product', name: 'Inner' } }, tea), 'Tea'],
    ['nowhere', '<p>x</p>', null],
  ])('%s', (_, html, expected) => {
    expect(fieldOf(product, html)).toEqual(expected)
  })

  test('a URL fits that URL alone, with http or https', () => {
    const of = 'https://schema.org/Product'
    expect(
      fieldOf({ from: 'json-ld', of, path: '$.name' }, ldOf({ ...tea, '@type': 'http://schema.org/Product' })),
    ).toBe('Tea')
    expect(fieldOf({ from: 'json-ld', of, path: '$.name' }, ldOf({ ...tea, '@type': 'https://x.test/Product' }))).toBe(
      null,
    )
  })

  test('all: true gives each, and a list of types any of them', () => {
    const html = ldOf({ '@graph': [tea, { '@type': 'Article', name: 'News' }, { ...tea, name: 'Pot' }] })
    expect(fieldOf({ from: 'json-ld', of: ['Product', 'Article'], path: '$.name', all: true }, html)).toEqual([
      'Tea',
      'News',
      'Pot',
    ])
    expect(fieldOf({ from: 'json-ld', of: 'Product', path: '$.offers[*].price', all: true }, html)).toHaveLength(4)
    expect(fieldOf({ from: 'json-ld', of: 'Nothing', all: true }, html)).toEqual([])
  })
})

describe('a path gives a value where it can name one place only, and a list otherwise', () => {
  test.each<[string, unknown]>([
    ['$.name', 'Tea'],
    ["$['offers'][0]['price']", '4.50'],
    ['$.offers[-1].price', 5],
    ['$.brand.name', null],
    ['$.offers[*].price', ['4.50', 5]],
    ['$..price', ['4.50', 5]],
    ['$.offers[?@.price > 4].price', [5]],
    ["$.offers[?match(@.price, '4.*')].price", ['4.50']],
    ["$.offers[?search(@.price, '(')].price", []],
    ['$.sizes[*]', []],
    ['$.toString', null],
  ])('%s', (path, expected) => {
    expect(fieldOf({ from: 'json-ld', of: 'Product', path }, ldOf(tea))).toEqual(expected)
  })

  test('the type of the field holds for what the path gives', () => {
    const field = { from: 'json-ld', of: 'Product', path: '$.offers[*].price', type: 'number' }
    expect(fieldOf(field, ldOf(tea))).toEqual([4.5, 5])
  })

  test('without a path it is the object, without a type all objects that stand by themselves', () => {
    expect(fieldOf({ from: 'json-ld', of: 'Product' }, ldOf(tea))).toEqual(tea)
    expect(fieldOf({ from: 'json-ld' }, ldOf({ '@graph': [crumbs, [tea]] }))).toEqual([crumbs, tea])
    expect(fieldOf({ from: 'json-ld', path: '$[*].name' }, ldOf(tea, crumbs))).toEqual(['Tea'])
    expect(fieldOf({ from: 'json-ld' }, '<p>x</p>')).toBe(null)
  })
})

describe('blocks are read as pages write them', () => {
  const name = { from: 'json-ld', of: 'P', path: '$.name' }
  test.each<[string, string, unknown]>([
    ['capitals and parameters', script('{"@type":"P","name":"x"}', 'Application/LD+JSON; charset=utf-8'), 'x'],
    ['a reference in the type', script('{"@type":"P","name":"x"}', 'application/ld&#x2B;json'), 'x'],
    ['an HTML comment', script('<!--\n{"@type":"P","name":"x"}\n//-->'), 'x'],
    ['CDATA', script('//<![CDATA[\n{"@type":"P","name":"x"}\n//]]>'), 'x'],
    ['CDATA in comments', script('/*<![CDATA[*/{"@type":"P","name":"x"}/*]]>*/'), 'x'],
    ['a line break in a text', script('{"@type":"P","name":"a\nb\tc"}'), 'a\nb\tc'],
    ['a comma too many', script('{"@type":"P","name":"a,]",}'), 'a,]'],
    ['a comma too many in a list', script('[{"@type":"P","name":"x"} , \n ]'), 'x'],
    ['a semicolon behind', script('{"@type":"P","name":"x"};'), 'x'],
    ['an escaped quote', script('{"@type":"P","name":"\\"\\\\",}'), '"\\'],
    [
      'a comment of the page',
      `<!-- ${script('{"@type":"P","name":"no"}')} -->${ldOf({ '@type': 'P', name: 'x' })}`,
      'x',
    ],
    ['another script', script('{"@type":"P","name":"x"}', 'application/json'), null],
    ['nothing but white space', script('  \n '), null],
    ['keys that mean something to objects', script('{"@type":"P","__proto__":{"name":"no"}}'), null],
    ['references stay as they are', script('{"@type":"P","name":"a &amp; b"}'), 'a &amp; b'],
  ])('%s', (_, html, expected) => {
    expect(fieldOf(name, html)).toBe(expected)
  })

  test('a broken block does not cost the good ones', () => {
    expect(
      fieldOf(name, script('{"@type":"P","name":"a" "b"}') + script('{') + ldOf({ '@type': 'P', name: 'x' })),
    ).toBe('x')
  })

  test('"__proto__" is a key like any other', () => {
    const html = script('{"@type":"P","__proto__":{"x":1},"constructor":2}')
    expect(fieldOf({ from: 'json-ld', of: 'P', path: '$.__proto__.x' }, html)).toBe(1)
    expect(JSON.stringify(fieldOf({ from: 'json-ld', of: 'P' }, html))).toBe(
      '{"@type":"P","__proto__":{"x":1},"constructor":2}',
    )
  })
})

test('any JSON in a block comes out as it went in', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
      const json = JSON.stringify({ '@type': 'Tested', value }).replaceAll('<', '\\u003c')
      expect(plainFieldOf({ from: 'json-ld', of: 'Tested', path: '$.value' }, script(json))).toEqual(
        JSON.parse(JSON.stringify(value)),
      )
    }),
  )
})

describe('hostile pages', () => {
  test('20,000 objects, and JSON that nests 20,000 deep, are read without a stack', () => {
    const wide = ldOf({ '@graph': Array.from({ length: 20_000 }, (_, id) => ({ '@type': 'Product', id })) })
    expect(fieldOf({ from: 'json-ld', of: 'Product', path: '$.id', all: true }, wide)).toHaveLength(20_000)
    const deep = script(`${'{"a":['.repeat(25_000)}{"@type":"Deep","x":1}${']}'.repeat(25_000)}`)
    expect(fieldOf({ from: 'json-ld', of: 'Deep', path: '$.x' }, deep)).toBe(1)
    expect(fieldOf({ from: 'json-ld', path: '$..x' }, deep)).toEqual([])
  })

  test('many blocks, good and broken, take time in proportion', () => {
    const html = (script('{"@type":"Product",}') + script('{')).repeat(3_000)
    expect(fieldOf({ from: 'json-ld', of: 'Product', all: true }, html)).toHaveLength(3_000)
    expect(fieldOf({ from: 'json-ld', of: 'P' }, script(`[${', '.repeat(200_000)}`))).toBe(null)
    expect(fieldOf({ from: 'json-ld', of: 'P' }, script(`<!--${' '.repeat(200_000)}x`))).toBe(null)
  })
})

test.each<[string, unknown, RegExp]>([
  [
    'a path that ends too early',
    { path: '$.offers[' },
    /^item\.field\.path: "\$\.offers\[" is not a JSONPath: .*at position 10, its end/,
  ],
  ['a path without $', { path: 'offers' }, /is not a JSONPath: expected '\$', found 'o', at position 1, "offers"/],
  ['a function without a comparison', { path: '$[?length(@)]' }, /is not a JSONPath: .*compared/],
  ['a path that is no text', { path: 3 }, /item\.field\.path: 3 is not accepted/],
  ['a type that is no name', { of: 3 }, /item\.field\.of: 3 is not accepted; expected the name of a type/],
  ['all without a type', { all: true }, /item\.field\.all: true is not accepted; expected all only with of/],
  ['all that is neither true nor false', { of: 'P', all: 'yes' }, /item\.field\.all: "yes" is not accepted/],
  ['a key that there is not', { of: 'P', pth: '$' }, /item\.field\.pth.*did you mean "path"/],
])('the check of a job refuses %s', (_, keys, message) => {
  expect(messageOf({ from: 'json-ld', ...(keys as object) })).toMatch(message)
})
