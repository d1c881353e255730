import { expect, test } from 'vitest'
import { createRouter } from '../../src/scope/router.ts'

test('the first page rule that fits a URL wins', () => {
  const router = createRouter([
    { name: 'list', match: '/catalogue/page-*' },
    { name: 'product', match: '/catalogue/:slug' },
    { name: 'rest', match: null },
  ])
  expect(router.pageOf(new URL('https://a.test/catalogue/page-2'))).toBe('list')
  expect(router.pageOf(new URL('https://a.test/catalogue/book'))).toBe('product')
  expect(router.pageOf(new URL('https://a.test/about'))).toBe('rest')
})

test('a URL that no rule fits has no page', () => {
  expect(createRouter([{ name: 'list', match: '/list' }]).pageOf(new URL('https://a.test/'))).toBeNull()
  expect(createRouter([]).pageOf(new URL('https://a.test/'))).toBeNull()
})

test('a malformed pattern is refused when the router is made, by its place', () => {
  expect(() =>
    createRouter([
      { name: 'a', match: '/a' },
      { name: 'b', match: '/b(' },
    ]),
  ).toThrowError(/^pages\[1\]\.match: "\/b\("/)
})
