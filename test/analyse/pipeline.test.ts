import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Pipeline, throughputOf } from '../../src/analyse/pipeline.ts'

const pipeline: Pipeline = {
  slots: 1_000,
  places: 64,
  requestMs: 100,
  threads: 4,
  parseMs: 20,
  mainMs: 1,
  sinkMs: 0.1,
  commitMs: 60,
  cores: 8,
  cpuMs: 21,
  pacedMs: 0,
}

test.each([
  ['threads', {}, 200],
  ['requests under way', { places: 10 }, 100],
  ['the main thread', { mainMs: 10 }, 100],
  ['the sink', { sinkMs: 20 }, 50],
  ['a rate', { pacedMs: 40 }, 25],
  ['cores', { cores: 2 }, 95.2],
  ['memory for pages', { slots: 1 }, 5.5],
  ['a main thread that parses', { threads: 0 }, 47.6],
] as const)('%s bind', (_, what, pagesPerSecond) => {
  expect(throughputOf({ ...pipeline, ...what })).toBeCloseTo(pagesPerSecond, 0)
})

test('one station and a delay are the machine repairman of the textbook', () => {
  // Two customers, a delay of 100 and a demand of 50: X(1) = 1/150, Q(1) = 1/3, R(2) = 50 (1 + 1/3), X(2) = 2/166.7.
  const two = { ...pipeline, slots: 2, places: 1e9, threads: 1, parseMs: 50, mainMs: 0, sinkMs: 0, commitMs: 0 }
  expect(throughputOf({ ...two, cpuMs: 0 })).toBeCloseTo(2_000 / (100 + 50 * (1 + 1 / 3)), 6)
})

test('no station is ever more than busy, and more of anything is never less', () => {
  const demands = fc.double({ min: 0.1, max: 100, noNaN: true })
  const sizes = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(
      sizes,
      sizes,
      fc.integer({ min: 1, max: 16 }),
      demands,
      demands,
      demands,
      (slots, places, threads, a, b, c) => {
        const any = { ...pipeline, slots, places, threads, requestMs: a, parseMs: b, mainMs: c, cpuMs: b + c }
        const perMs = throughputOf(any) / 1_000
        expect(perMs * b).toBeLessThanOrEqual(threads * 1.000001)
        expect(perMs * c).toBeLessThanOrEqual(1.000001)
        expect(perMs * a).toBeLessThanOrEqual(Math.min(places, slots) * 1.000001)
        expect(throughputOf({ ...any, slots: slots + 1, places: places + 1 }) / 1_000).toBeGreaterThanOrEqual(
          perMs * 0.999999,
        )
      },
    ),
  )
})
