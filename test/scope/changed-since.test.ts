import { expect, test } from 'vitest'
import { isSinceDate, mayHaveChangedSince } from '../../src/scope/changed-since.ts'

test.each([
  ['2026-03-01', true],
  ['2026-02-28', false],
  ['2026-03-01T00:00:00Z', true],
  ['2026-03-01T00:30:00+01:00', false],
  ['2026-03', true],
  ['2026-02', true],
  ['2026-01', false],
  ['2026', true],
  ['2025', false],
  ['Sun, 01 Mar 2026 10:00:00 GMT', true],
  ['Sat, 28 Feb 2026 10:00:00 GMT', false],
  ['yesterday', true],
  [null, true],
])('what changed at %s may have changed since the first of March: %s', (changed, expected) => {
  expect(mayHaveChangedSince(changed, '2026-03-01')).toBe(expected)
})

test('a date is written with its day', () => {
  expect(['2026-03-01', '2026-03-01T12:00:00Z'].every(isSinceDate)).toBe(true)
  expect(['2026', '2026-03', 'March', '2026-13-01', ''].some(isSinceDate)).toBe(false)
})
