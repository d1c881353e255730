import { describe, expect, test } from 'vitest'
import { checkSelector, pseudoNames } from '../../src/extract/selector.ts'

describe('a selector that can be used has no problem', () => {
  test.each([
    'h1',
    'ul > li:first-child a[href^="/p"]',
    '> li',
    '+ p, ~ div',
    ':scope > li',
    'li:eq(-1)',
    'tr:even td:first',
    'p:not(:first)',
    'div:has(> img)',
    ':is(h1, h2):nth-child(2n + 1)',
    'p:contains("a, b")',
    'a:any-link',
    '#\\31 23',
    '.w\\@sm',
    '[title="a@b"]',
    '/* note */ h1',
  ])('%s', selector => {
    expect(checkSelector(selector)).toBeNull()
  })
})

describe('a problem is placed where the selector cannot be read any more', () => {
  test.each([
    ['', 0],
    ['a@href', 1],
    ['h1::text', 2],
    ['h1::attr(title)', 2],
    ['a $b', 2],
    ['.x@y', 2],
    ['5', 0],
    [', p', 0],
    ['div > > p', 6],
    ['a[href', 1],
    ['a[href="x]', 1],
    ['p:not(.a', 1],
    ['p)', 1],
    ['div >', 5],
    ['div, ', 5],
    ['svg|a', 3],
    ['p::before', 1],
    ['li:nth-child(x)', 2],
    ['li:eq(x)', 2],
    ['li:eq', 2],
    ['li:first(2)', 8],
    ['li:not(a:frist)', 8],
    ['li:not(:eq(x))', 2],
    ['div:has(li:first)', 3],
    ['a'.repeat(3_000), 2_000],
  ])('%j at %i', (selector, index) => {
    const problem = checkSelector(selector)
    expect(problem?.reason).toBeTruthy()
    expect(problem?.index).toBeGreaterThanOrEqual(0)
    expect(problem?.index).toBe(index)
  })

  test('a pseudo-class that does not exist is told with the nearest that does', () => {
    expect(checkSelector('li:nth-chidl(2)')?.nearest).toBe('nth-child')
    expect(pseudoNames).toContain('has')
  })
})
