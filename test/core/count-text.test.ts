import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countText } from '../../src/core/count-text.ts'

test('a count has a comma before every third digit, as English writes it', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), value => {
      // `-0` is what rounding leaves of little less than nothing.
      expect(countText(value)).toBe((Math.round(value) + 0).toLocaleString('en-US'))
    }),
  )
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567.4, '1,234,567'],
  [-12_345, '-12,345'],
])('%d is written %s', (value, text) => {
  expect(countText(value)).toBe(text)
})
