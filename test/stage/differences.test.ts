import { expect, test } from 'vitest'
import type { Item } from '../../src/core/wire.ts'
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
