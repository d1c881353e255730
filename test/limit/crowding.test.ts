import { expect, test } from 'vitest'
import { learnLatency, newBaseline } from '../../src/limit/baseline.ts'
import { enoughFor, learnCrowding, newCrowding } from '../../src/limit/crowding.ts'
import { good } from './driver.ts'

const limit = 20

/** A host that answered in 100 ms while its baseline was learnt. */
function known() {
  const baseline = newBaseline()
  const crowding = newCrowding()
  return {
    crowding,
    feed(firstByteMs: number, inFlight: number, times: number): number {
      for (let nth = 0; nth < times; nth += 1) {
        learnLatency(baseline, firstByteMs, 32)
        learnCrowding(crowding, baseline, { ...good, firstByteMs, inFlight, nowMs: nth, startedMs: nth }, limit)
      }
      return enoughFor(crowding, limit)
    },
  }
}

test('nothing is enough for a host of which too little is known', () => {
  expect(known().feed(100, 6, 40)).toBe(Number.POSITIVE_INFINITY)
})

test('nothing is enough for a host that answers as fast as ever', () => {
  const host = known()
  host.feed(100, 6, 64)
  expect(host.feed(110, limit, 2_000)).toBe(Number.POSITIVE_INFINITY)
})

test('a host whose answers wait for each other has enough at a little more than half of its limit', () => {
  const host = known()
  host.feed(100, 6, 64)
  expect(host.feed(180, limit, 500)).toBe(11)
})

test('a host whose queue has drained has enough no longer', () => {
  const host = known()
  host.feed(100, 6, 64)
  host.feed(180, limit, 500)
  expect(host.feed(105, 11, 500)).toBe(Number.POSITIVE_INFINITY)
})

test('a host that stays as slow when it is held back has no queue of ours, and is held back no longer', () => {
  const host = known()
  host.feed(100, 6, 64)
  expect(host.feed(180, 11, 1_000)).toBe(11)
  expect(host.feed(180, 11, 5_000)).toBe(Number.POSITIVE_INFINITY)
})

test('a host that became faster is crowded by what it takes now', () => {
  const host = known()
  host.feed(400, 6, 64)
  host.feed(100, limit, 2_000)
  expect(host.feed(240, limit, 1_000)).toBe(11)
})
