import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from '../../src/pace/backoff.ts'
import { jitterMs } from '../../src/pace/jitter.ts'
import { createRandom } from '../sim/random.ts'

const options = { shortestMs: 1_000, longestMs: 60_000 }

function meanMs(failures: number): number {
  const random = createRandom(7)
  return Array.from({ length: 4_000 }, () => backoffMs(failures, options, random)).reduce((a, b) => a + b, 0) / 4_000
}

test('a wait is never shorter than the shortest nor longer than the longest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), fc.integer(), (failures, seed) => {
      const waitMs = backoffMs(failures, options, createRandom(seed))
      expect(waitMs >= options.shortestMs && waitMs <= options.longestMs).toBe(true)
    }),
  )
})

test('waits become longer with each failure on the mean: one to three times the last', () => {
  const means = [1, 2, 3, 4].map(meanMs)
  // Uniform over 1 to 3 s has a mean of 2 s; uniform over 1 s to three times that, of 3.5 s.
  expect(means[0]).toBeCloseTo(2_000, -2)
  expect(means[1]).toBeCloseTo(3_500, -3)
  expect(means[2]).toBeGreaterThan(means[1] ?? 0)
  expect(means[3]).toBeGreaterThan(means[2] ?? 0)
})

test('two tasks that failed together do not come back together', () => {
  const random = createRandom(1)
  const waits = new Set(Array.from({ length: 100 }, () => backoffMs(1, options, random)))
  expect(waits.size).toBe(100)
})

test('jitter is anywhere between its bounds', () => {
  expect(jitterMs({ min: 500, max: 1_500 }, () => 0)).toBe(500)
  expect(jitterMs({ min: 500, max: 1_500 }, () => 0.5)).toBe(1_000)
  expect(jitterMs({ min: 700, max: 700 }, () => 0.9)).toBe(700)
})
