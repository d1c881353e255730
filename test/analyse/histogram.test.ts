import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHistogram } from '../../src/analyse/histogram.ts'

const rankOf = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0

test('nothing recorded is nothing told', () => {
  expect(createHistogram().summary()).toEqual({
    count: 0,
    totalMs: 0,
    meanMs: 0,
    p50Ms: 0,
    p90Ms: 0,
    p99Ms: 0,
    maxMs: 0,
  })
})

test('a percentile is within a thirty-second of the true one, and count, sum and maximum are exact', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 1e8, noNaN: true }), { minLength: 1, maxLength: 300 }),
      values => {
        const histogram = createHistogram()
        for (const ms of values) histogram.record(ms)
        const sorted = [...values].sort((a, b) => a - b)
        const told = histogram.summary()
        expect(told.count).toBe(values.length)
        expect(histogram.totalMs).toBeCloseTo(
          values.reduce((sum, ms) => sum + ms, 0),
          3,
        )
        for (const [part, ms] of [
          [0.5, told.p50Ms],
          [0.9, told.p90Ms],
          [0.99, told.p99Ms],
        ] as const)
          expect(Math.abs(ms - rankOf(sorted, part))).toBeLessThanOrEqual(rankOf(sorted, part) / 32 + 0.001)
      },
    ),
    { verbose: 0 },
  )
})

test('what took no time, or less, is counted as none; what is beyond the range at its edge', () => {
  const histogram = createHistogram()
  for (const ms of [0, -5, Number.NaN, 1e-9, 1e12]) histogram.record(ms)
  expect(histogram.summary()).toMatchObject({ count: 5, p50Ms: 0, maxMs: 1e12 })
})
