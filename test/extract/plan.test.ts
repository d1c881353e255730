import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { planOf } from '../../src/extract/plan.ts'
import type { FieldSpec } from '../../src/extract/schema.ts'

const ruleOf = (item: unknown, more: Partial<PageRule> = {}): PageRule => ({
  name: 'any',
  match: null,
  item: item === null ? null : checkItem(item, 'item'),
  follow: [],
  parser: 'fast',
  ...more,
})
const reasonOf = (spec: unknown): string | null => planOf(ruleOf({ field: spec })).parts.at(-1)?.reason ?? null

describe('what streams', () => {
  test.each([
    'h1',
    'head > title',
    '.price, #price, [itemprop=price]',
    'a[href^="/p/" i]:not(.ad, [rel~=nofollow])',
    'dt + dd ~ dd',
    'tr:nth-child(2n + 1) > td:first-of-type',
    ':is(h1, h2):where(.x)',
    ':header',
    ':root',
  ])('%s', selector => {
    expect(planOf(ruleOf({ field: [selector], markup: { selector, value: 'outerHTML' } }))).toEqual({
      engine: 'stream',
      parts: [
        { path: 'item.field', selector, reason: null },
        { path: 'item.markup', selector, reason: null },
      ],
      reason: null,
    })
  })

  test('groups, with selectors that begin at their element', () => {
    const rows = [{ selector: 'tr', value: { first: '> td > a', other: 'td a', own: { value: 'class' } } }]
    expect(planOf(ruleOf({ rows }, { follow: ['a', '.next'] })).engine).toBe('stream')
  })

  test('several items, each below a match', () => {
    const items = { selector: 'li', item: checkItem({ name: '> a', all: { value: 'text' } }, 'x'), required: false }
    expect(planOf(ruleOf(null, { items }))).toMatchObject({
      engine: 'stream',
      parts: ['items', 'items.item.name', 'items.item.all'].map(path => ({ path, reason: null })),
      reason: null,
    })
    const last = planOf(ruleOf(null, { items: { ...items, selector: 'li:last-child' } }))
    expect(last).toMatchObject({ engine: 'tree', parts: [{ path: 'items', reason: expect.any(String) }, {}, {}] })
  })

  test.each([
    { selector: 'li', pick: 'last' },
    { selector: 'li', count: true },
    { selector: 'li', exists: true },
    { selector: 'p', value: 'ownText', pattern: 'a(b)', default: 1 },
    { selector: 'table', table: true },
    { selector: 'dl', dl: true },
    { constant: 5 },
    { context: 'url', type: 'url', follow: true },
    { from: 'json-ld' },
    { from: 'opengraph' },
    { from: 'script' },
    { from: 'microdata' },
  ])('%j', spec => {
    expect(planOf(ruleOf({ field: spec })).engine).toBe('stream')
  })

  test('a rule without an item', () => {
    expect(planOf(ruleOf(null, { follow: ['a'] }))).toEqual({
      engine: 'stream',
      parts: [{ path: 'follow[0]', selector: 'a', reason: null }],
      reason: null,
    })
  })
})

describe('what needs the tree says why', () => {
  test.each([
    [{ xpath: '//p' }, 'xpath looks at the whole tree'],
    [{ from: 'readability' }, 'readability looks at the whole tree'],
    [{ from: 'markdown', selector: 'main' }, 'markdown looks at the whole tree'],
  ])('%j', (spec, reason) => {
    expect(reasonOf(spec)).toBe(reason)
  })

  test.each([
    ['p:last-child', ':last-child depends on what follows'],
    ['p:nth-last-of-type(2)', ':nth-last-of-type depends on what follows'],
    ['p:empty', ':empty depends on what follows'],
    ['div:has(b)', ':has depends on what follows'],
    ['p:contains("x")', ':contains depends on what follows'],
    ['div:not(:is(.x, :only-child))', ':only-child depends on what follows'],
    ['li:first', ':first and :eq() count all matches'],
    ['p:not(:eq(1))', 'count all matches'],
    ['p:not(div p)', ':not speaks of other elements'],
    [':disabled', 'speaks of other elements'],
    [':selected', 'speaks of other elements'],
    ['> p', 'nothing before it'],
    [':scope > p', ':scope'],
  ])('%s', (selector, reason) => {
    expect(reasonOf(selector)).toContain(reason)
    expect(planOf(ruleOf({ fine: 'p', field: selector })).engine).toBe('tree')
  })

  test.each([
    ['+ p', 'follow its end'],
    ['~ p', 'follow its end'],
    ['> p b', 'children and siblings only'],
  ])('below a group: %s', (selector, reason) => {
    expect(reasonOf({ selector: 'div', value: { inner: selector } })).toContain(reason)
  })

  test('what is about the whole page', () => {
    expect(reasonOf({ value: 'innerHTML' })).toContain('the whole page')
    expect(planOf(ruleOf({ field: { value: { inner: 'p' } } })).parts[0]?.reason).toContain('the whole page')
    expect(reasonOf({ table: true })).toContain('the whole tree')
    expect(reasonOf({ value: 'text' })).toBeNull()
  })

  test('a selector of follow', () => {
    expect(planOf(ruleOf({ field: 'p' }, { follow: ['a', 'a:last'] }))).toMatchObject({
      engine: 'tree',
      parts: [
        { reason: null },
        { path: 'follow[0]', reason: null },
        { path: 'follow[1]', reason: expect.stringContaining(':first') },
      ],
    })
  })

  test('the browser parser', () => {
    expect(planOf(ruleOf({ field: 'p' }, { parser: 'browser' }))).toMatchObject({
      engine: 'tree',
      parts: [{ reason: null }],
      reason: 'the browser parser builds a tree',
    })
  })

  test('whatever the language has learnt since: nothing is guessed', () => {
    const spec = checkItem({ field: 'p' }, 'item').field as FieldSpec
    for (const strange of [{ type: 'colour' }, { source: { kind: 'shadow' } }, { shadow: 1 }]) {
      const item = { field: { ...spec, ...strange } as FieldSpec }
      expect(planOf({ ...ruleOf(null), item })).toMatchObject({
        engine: 'tree',
        parts: [{ reason: expect.any(String) }],
      })
    }
  })
})
