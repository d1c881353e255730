import { describe, expect, test } from 'vitest'
import { isKnown, latencyRatio, learnLatency, memoryOf, newBaseline } from '../../src/limit/baseline.ts'
import {
  beginLook,
  endLook,
  forgetRoutes,
  learnRoute,
  newRoutes,
  noteLook,
  type Routes,
  routesRatio,
} from '../../src/limit/routes.ts'
import { createRandom } from '../sim/random.ts'

const limit = 16
type Way = readonly [name: string, latencyMs: number]

/** So many answers in turn over these ways. */
function feed(routes: Routes, count: number, ...ways: readonly Way[]): void {
  for (let nth = 0; nth < count; nth += 1) {
    const [name, latencyMs] = ways[nth % ways.length] ?? ['', 0]
    learnRoute(routes, name, latencyMs, limit)
  }
}

describe('with one route', () => {
  test('the ratio is that of its baseline', () => {
    const routes = newRoutes()
    const alone = newBaseline()
    const random = createRandom(1)
    for (let nth = 0; nth < 300; nth += 1) {
      const latencyMs = 50 + nth * random()
      learnRoute(routes, 'proxy', latencyMs, limit)
      learnLatency(alone, latencyMs, memoryOf(limit))
      expect(routesRatio(routes)).toBe(latencyRatio(alone))
    }
  })

  test('nothing is kept for each route', () => {
    const routes = newRoutes()
    feed(routes, 1_000, ['', 100])
    expect(routes.byName).toBe(null)
  })
})

describe('with several routes', () => {
  test('a proxy that comes later and is slower by 800 ms makes no slow host', () => {
    const routes = newRoutes()
    feed(routes, 200, ['', 100])
    for (let nth = 0; nth < 400; nth += 1) {
      feed(routes, 1, ['', 100])
      feed(routes, 1, ['proxy', 900])
      expect(routesRatio(routes)).toBeCloseTo(1, 1)
    }
  })

  test('a host with a queue is seen through slow proxies: what it adds is a time, not a factor', () => {
    const routes = newRoutes()
    feed(routes, 400, ['', 100], ['proxy', 900])
    feed(routes, 400, ['', 500], ['proxy', 1_300])
    expect(routesRatio(routes)).toBeCloseTo(5, 0)
    feed(routes, 400, ['proxy', 1_300])
    expect(routesRatio(routes)).toBeCloseTo(5, 0)
  })

  test('a proxy that becomes slow by itself makes no slow host, and two of three are the host', () => {
    const routes = newRoutes()
    feed(routes, 600, ['', 100], ['a', 300], ['b', 300])
    feed(routes, 600, ['', 100], ['a', 300], ['b', 3_000])
    expect(routesRatio(routes)).toBeCloseTo(1, 1)
    feed(routes, 600, ['', 100], ['a', 1_300], ['b', 4_000])
    expect(routesRatio(routes)).toBeCloseTo(11, 0)
  })

  test('a route that is met while the host has a queue does not take the queue for its own', () => {
    const routes = newRoutes()
    feed(routes, 200, ['', 100])
    feed(routes, 200, ['', 400])
    feed(routes, 400, ['', 400], ['proxy', 1_200])
    feed(routes, 400, ['proxy', 1_200])
    expect(routesRatio(routes)).toBeCloseTo(4, 0)
  })

  test('of a thousand exits some have a record and the rest share one', () => {
    const routes = newRoutes()
    for (let nth = 0; nth < 20_000; nth += 1) learnRoute(routes, `exit ${nth % 1_000}`, 300, limit)
    expect(routes.byName?.size).toBe(17)
    expect(routesRatio(routes)).toBeCloseTo(1)
  })
})

test('after an outage baselines stay, and nothing is said of now', () => {
  const routes = newRoutes()
  feed(routes, 400, ['', 100], ['proxy', 900])
  feed(routes, 400, ['', 600], ['proxy', 1_400])
  forgetRoutes(routes)
  expect(routesRatio(routes)).toBe(1)
  feed(routes, 100, ['', 100], ['proxy', 900])
  expect(routesRatio(routes)).toBeCloseTo(1)
  expect(isKnown(routes.all)).toBe(true)
})

describe('a look at the host with little load', () => {
  test('is learnt from by each route, and by those that were not heard as by the others', () => {
    const routes = newRoutes()
    feed(routes, 600, ['', 100], ['a', 300], ['b', 900])
    // Slower by 500 ms for good, and as much again by our own load.
    feed(routes, 600, ['', 1_100], ['a', 1_300], ['b', 1_900])
    beginLook(routes)
    for (let nth = 0; nth < 16; nth += 1)
      for (const [name, latencyMs] of [
        ['', 600],
        ['a', 800],
      ] as const)
        noteLook(routes, name, latencyMs)
    // By what is known now: (1,100 - B) over B, B seven tenths of the way from 100 to 600 in its logarithm.
    const unloadedMs = 100 * 6 ** 0.7
    expect(endLook(routes)).toBeGreaterThan(1 + (1_100 - unloadedMs) / unloadedMs - 0.5)
    feed(routes, 300, ['b', 1_400])
    expect(routesRatio(routes)).toBeLessThan(2)
  })

  test('of one route is what its answers say', () => {
    const routes = newRoutes()
    feed(routes, 100, ['', 100])
    feed(routes, 300, ['', 600])
    beginLook(routes)
    for (let nth = 0; nth < 32; nth += 1) expect(noteLook(routes, '', 600)).toBe(nth + 1)
    expect(endLook(routes)).toBeCloseTo(600 / (100 * 6 ** 0.7))
  })
})
