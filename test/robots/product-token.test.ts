import { expect, test } from 'vitest'
import { productToken } from '../../src/robots/product-token.ts'

test.each([
  ['Millrace/0.1', 'Millrace'],
  ['ExampleBot', 'ExampleBot'],
  ['example-bot_2/1.0 (+https://a.test)', 'example-bot_2'],
  ['archive.org_bot', 'archive.org_bot'],
  ['Mozilla/5.0 (compatible; ExampleBot/2.1; +https://a.test/bot)', 'ExampleBot'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla'],
  ['(nobody)', null],
  ['', null],
])('%j is addressed as %s', (userAgent, token) => {
  expect(productToken(userAgent)).toBe(token)
})
