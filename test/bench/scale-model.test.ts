import { describe, expect, test } from 'vitest'
import { curveOf, leastThat } from '../../bench/scale-curve.ts'
import { type ScaleModel, simulateScale } from '../../bench/scale-model.ts'

/** A page costs the main thread 0.9 ms: with a thread that takes 1 ms for it, it has a tenth to spare. */
const model: ScaleModel = {
  threads: 1,
  hosts: 2_000,
  pages: 10_000,
  warmUpPages: 10_000,
  perHost: 1,
  latencyMs: 100,
  parseMs: 1,
  mainMs: 0.9,
}

describe('a run in simulated time', () => {
  test('one thread that is slower than the main thread leaves it idle, however many hosts began at once', () => {
    const { pagesPerSecond, mainBusy, workersBusy } = simulateScale(model)
    expect(pagesPerSecond).toBeCloseTo(1_000, -2)
    expect(mainBusy).toBeCloseTo(0.9, 1)
    expect(mainBusy).toBeLessThan(0.95)
    expect(workersBusy).toBeGreaterThan(0.99)
  })

  test('with threads to spare the main thread is the limit', () => {
    const { pagesPerSecond, mainBusy, workersBusy } = simulateScale({ ...model, threads: 8 })
    expect(pagesPerSecond * 0.9).toBeCloseTo(1_000, -2)
    expect(mainBusy).toBeGreaterThan(0.99)
    expect(workersBusy).toBeCloseTo(1 / 0.9 / 8, 1)
  })

  test('with few hosts it is their latency', () => {
    const { pagesPerSecond, mainBusy } = simulateScale({ ...model, hosts: 10, threads: 8 })
    // Ten requests under way, each for 100 ms and what the threads take.
    expect(pagesPerSecond).toBeGreaterThan(85)
    expect(pagesPerSecond).toBeLessThan(105)
    expect(mainBusy).toBeCloseTo(pagesPerSecond * 0.0009, 2)
  })

  test('is the same each time', () => {
    const short = { ...model, pages: 1_000, warmUpPages: 1_000 }
    expect(simulateScale(short)).toEqual(simulateScale(short))
  })
})

test('the main thread is full with as many threads as costs say, and not before', () => {
  const load = { ...model, hosts: 500, pages: 10_000, warmUpPages: 5_000, mainMs: 0.85 }
  for (const parseMs of [1, 8]) {
    const { byCost, fullAt } = curveOf({ ...load, parseMs }, load.pages)
    expect(byCost).toBeCloseTo(parseMs / 0.85)
    expect(fullAt, `${parseMs} ms`).toBe(Math.ceil(byCost))
  }
})

test('a main thread that no number of threads fills is said to be so', () => {
  expect(curveOf({ ...model, parseMs: 100, hosts: 100, pages: 1_000, warmUpPages: 500 }, 1_000).fullAt).toBeNull()
})

test('the least number that is enough is found wherever it is', () => {
  for (let least = 1; least <= 64; least += 1) expect(leastThat(number => number >= least, 64)).toBe(least)
  expect(leastThat(() => false, 64)).toBeNull()
})
