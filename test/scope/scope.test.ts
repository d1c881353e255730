import { describe, expect, test } from 'vitest'
import type { ScopeRules } from '../../src/scope/rules.ts'
import { createScope } from '../../src/scope/scope.ts'

const rules = (changes: Partial<ScopeRules>): ScopeRules => ({
  within: 'same-host',
  include: [],
  exclude: [],
  maxDepth: null,
  ...changes,
})
const judge = (changes: Partial<ScopeRules>, seedHosts: readonly string[], url: string): string =>
  createScope(rules(changes), seedHosts).judge(new URL(url))

describe('within', () => {
  const cases: readonly (readonly [ScopeRules['within'], readonly string[], string, 'in' | 'out'])[] = [
    ['same-host', ['books.test'], 'https://books.test/x', 'in'],
    ['same-host', ['books.test'], 'http://books.test./x', 'in'],
    ['same-host', ['books.test'], 'https://www.books.test/x', 'out'],
    ['same-host', ['books.test'], 'https://books.test:8443/x', 'out'],
    ['same-host', ['books.test:8443'], 'https://books.test:8443/x', 'in'],
    ['same-host', ['a.test', 'b.test'], 'https://b.test/', 'in'],
    ['same-domain', ['www.books.test'], 'https://books.test/', 'in'],
    ['same-domain', ['www.books.test'], 'https://cdn.books.test:8443/', 'in'],
    ['same-domain', ['www.books.test'], 'https://notbooks.test/', 'out'],
    ['same-domain', ['shop.example.co.uk'], 'https://example.co.uk/', 'in'],
    ['same-domain', ['shop.example.co.uk'], 'https://other.co.uk/', 'out'],
    ['same-domain', ['anna.github.io'], 'https://bert.github.io/', 'out'],
    ['same-domain', ['127.0.0.1:8080'], 'http://127.0.0.1:9090/', 'in'],
    ['same-domain', ['127.0.0.1'], 'http://127.0.0.2/', 'out'],
    ['same-domain', ['10.0.0.1'], 'http://11.0.0.1/', 'out'],
    ['same-domain', ['[::1]:8080'], 'http://[::1]/', 'in'],
    ['same-domain', ['[::1]'], 'http://[::2]/', 'out'],
    ['same-domain', ['localhost:8080'], 'http://localhost/', 'in'],
    ['same-domain', ['localhost'], 'http://shop.localhost/', 'out'],
    ['same-domain', ['shop.localhost:1'], 'http://images.shop.localhost:2/', 'in'],
    ['same-domain', ['intranet'], 'http://intranet/wiki', 'in'],
    ['same-domain', ['intranet'], 'http://other/wiki', 'out'],
    ['any', ['a.test'], 'https://elsewhere.test/', 'in'],
    ['same-host', [], 'https://a.test/', 'out'],
  ]
  test.each(cases)('%s of %j: %s is %s', (within, seedHosts, url, expected) => {
    expect(judge({ within }, seedHosts, url)).toBe(expected)
  })
})

test.each([
  ['same-host', 'https://b.test/x', 'https://b.test/', 'in'],
  ['same-host', 'https://www.b.test/x', 'https://b.test/', 'out'],
  ['same-host', 'https://a.test/x', 'https://b.test/', 'in'],
  ['same-domain', 'https://www.b.test/x', 'https://b.test:8080/', 'in'],
  ['same-domain', 'https://c.test/x', 'https://b.test/', 'out'],
] as const)('%s: a link to %s on %s is %s, the seed being a.test', (within, url, from, expected) => {
  expect(createScope(rules({ within }), ['a.test']).judge(new URL(url), new URL(from))).toBe(expected)
})

test('what is excluded is out wherever it was found', () => {
  const scope = createScope(rules({ exclude: ['/x'] }), [])
  expect(scope.judge(new URL('https://b.test/x'), new URL('https://b.test/'))).toBe('out')
})

test('with include patterns a URL must fit one of them', () => {
  const changes = { include: ['/shop/*', 'https://a.test/about'] }
  expect(judge(changes, ['a.test'], 'https://a.test/shop/1')).toBe('in')
  expect(judge(changes, ['a.test'], 'https://a.test/about')).toBe('in')
  expect(judge(changes, ['a.test'], 'https://a.test/blog')).toBe('out')
  expect(judge(changes, ['a.test'], 'https://b.test/shop/1')).toBe('out')
})

test('an exclude pattern wins over an include pattern', () => {
  const changes = { include: ['/shop/*'], exclude: ['*.pdf', '/shop/cart*', '/*?sort=*'] }
  expect(judge(changes, ['a.test'], 'https://a.test/shop/list')).toBe('in')
  expect(judge(changes, ['a.test'], 'https://a.test/shop/list.pdf')).toBe('out')
  expect(judge(changes, ['a.test'], 'https://a.test/shop/cart?add=1')).toBe('out')
  expect(judge(changes, ['a.test'], 'https://a.test/shop/list?sort=price')).toBe('out')
})

test('a malformed pattern is refused when the scope is made, by its place', () => {
  expect(() => createScope(rules({ exclude: ['/a', 'b/*'] }), [])).toThrowError(/^scope\.exclude\[1\]: "b\/\*"/)
})
