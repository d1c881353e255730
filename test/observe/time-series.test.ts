import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeSeries } from '../../src/observe/time-series.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

test('a count is in the step in which it happened', () => {
  const series = createTimeSeries(1_000)
  series.count('pages', 1_050)
  series.count('pages', 1_250, 3)
  expect(series.read(1_300).counts('pages')).toEqual([1, 0, 3])
})

test('a level counts for as long as it held', () => {
  const series = createTimeSeries(0)
  series.level('inFlight', 0, 4)
  series.level('inFlight', 150, 0)
  expect(series.read(200).levels('inFlight')).toEqual([4, 2])
})

test('the last step is as long as the run, and its level an average over that', () => {
  const series = createTimeSeries(0)
  series.level('inFlight', 0, 2)
  const { lastStepMs, steps, levels } = series.read(130)
  expect([steps, lastStepMs]).toEqual([2, 30])
  expect(levels('inFlight')).toEqual([2, 2])
})

test('a span is shared out to the steps it went through', () => {
  const series = createTimeSeries(0)
  series.span('queue', 50, 250)
  expect(series.read(300).levels('queue')).toEqual([0.5, 1, 0.5])
})

test('however long a run is, it has some hundred steps and nothing of it is lost', () => {
  const seed = Date.now()
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(40_000_000), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 200 }),
      happenings => {
        const series = createTimeSeries(0)
        const times = happenings.map(([atMs]) => atMs).sort((left, right) => left - right)
        for (const [nth, atMs] of times.entries()) series.count('x', atMs, happenings[nth]?.[1])
        const read = series.read((times.at(-1) ?? 0) + 1)
        expect(read.steps).toBeLessThanOrEqual(240)
        expect(sum(read.counts('x'))).toBe(sum(happenings.map(([, by]) => by)))
        expect(read.stepMs * (read.steps - 1)).toBeLessThanOrEqual((times.at(-1) ?? 0) + 1)
      },
    ),
    { seed, numRuns: 100, verbose: 1 },
  )
})

test('what happened keeps its place when steps are merged', () => {
  const series = createTimeSeries(0)
  series.count('x', 10_000, 7)
  series.count('x', 3_000_000)
  const { stepMs, counts } = series.read(3_000_000)
  expect(counts('x')[Math.floor(10_000 / stepMs)]).toBe(7)
})
