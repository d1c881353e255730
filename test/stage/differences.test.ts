import { expect, test } from 'vitest'
import type { Item, JsonValue } from '../../src/core/wire.ts'
import type { Reading } from '../../src/extract/engine.ts'
import { differencesOf } from '../../src/stage/differences.ts'

const readingOf = (item: Item | null, more: Partial<Reading> = {}): Reading => ({
  item,
  items: [],
  missing: [],
  links: [],
  baseUrl: 'http://shop.test/',
  ...more,
})

test.each<[string, Item, Item, object[]]>([
  ['the same values differ nowhere', { a: 1, b: ['x', { c: null }] }, { a: 1, b: ['x', { c: null }] }, []],
  ['a field has its name', { a: 1 }, { a: '1' }, [{ path: 'item.a', fast: '1', browser: '"1"' }]],
  [
    'a field of a nested item has the names around it',
    { offers: [{ price: 1 }, { price: 2 }, { price: 3 }] },
    { offers: [{ price: 1 }, { price: 4 }, { price: 5 }] },
    [{ path: 'item.offers.price', fast: '2', browser: '4' }],
  ],
  [
    'lists of different lengths differ as a whole',
    { tags: ['a', 'b'] },
    { tags: ['a'] },
    [{ path: 'item.tags', fast: '["a","b"]', browser: '["a"]' }],
  ],
  ['what is not there is null', { a: null, b: 1 }, { b: null }, [{ path: 'item.b', fast: '1', browser: 'null' }]],
])('%s', (_, fast, browser, differences) => {
  expect(differencesOf(readingOf(fast), readingOf(browser))).toEqual(differences)
})

test('the items of a page and its links are compared as well', () => {
  const link = (value: string) => ({ value, isNofollow: false })
  const fast = readingOf(null, { items: [{ a: 1 }, { a: 2 }], links: [link('/a'), link('/b')] })
  const browser = readingOf(null, { items: [{ a: 1 }, { a: 3 }], links: [link('/a')] })
  expect(differencesOf(fast, browser)).toEqual([
    { path: 'items.a', fast: '2', browser: '3' },
    { path: 'follow', fast: '["/a","/b"]', browser: '["/a"]' },
  ])
})

test('long values are cut, and there are at most a hundred differences of a page', () => {
  const [difference] = differencesOf(readingOf({ a: 'x'.repeat(10_000) }), readingOf({ a: '' }))
  expect(difference?.fast).toHaveLength(200)
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index]))
  expect(differencesOf(readingOf(many), readingOf({}))).toHaveLength(100)
})

test('names that objects have by themselves are names like any other', () => {
  const named = JSON.parse('{"constructor":1,"__proto__":{"a":1}}')
  expect(differencesOf(readingOf({ a: named }), readingOf({ a: {} }))).toEqual([
    { path: 'item.a.constructor', fast: '1', browser: 'null' },
    { path: 'item.a.__proto__', fast: '{"a":1}', browser: 'null' },
  ])
})

test('JSON that nests deeper than a stack is compared as far as a reader would look', () => {
  const deep = (inner: number): JsonValue => {
    let value: JsonValue = inner
    for (let level = 0; level < 50_000; level += 1) value = [value]
    return value
  }
  expect(differencesOf(readingOf({ a: deep(1), b: deep(1) }), readingOf({ a: deep(2), b: 5 }))).toEqual([
    { path: 'item.b', fast: 'nested too deep to be shown', browser: '5' },
  ])
})
