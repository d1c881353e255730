import { expect, test } from 'vitest'
import { enoughFor, learnCrowding, newCrowding } from '../../src/limit/crowding.ts'
import { good } from './driver.ts'

/** Answers of a host, each granted after the one before was told; `limit` is what its limiter allows meanwhile. */
function host() {
  const crowding = newCrowding()
  let nowMs = 0
  return {
    get nowMs() {
      return nowMs
    },
    feed(firstByteMs: number, inFlight: number, times: number, limit: number): number {
      for (let nth = 0; nth < times; nth += 1) {
        nowMs += 1
        learnCrowding(crowding, { ...good, firstByteMs, inFlight, nowMs, startedMs: nowMs }, limit)
      }
      return enoughFor(crowding, limit)
    },
    /** One that was granted before others were told. */
    late(firstByteMs: number, startedMs: number, limit: number): void {
      learnCrowding(crowding, { ...good, firstByteMs, inFlight: limit, nowMs, startedMs }, limit)
    },
  }
}

/** A large host that answered in 100 ms while its limit was small. */
function known() {
  const large = host()
  large.feed(100, 6, 64, 20)
  return large
}

test('nothing is enough for a host of which too little is known', () => {
  expect(host().feed(100, 6, 63, 20)).toBe(Number.POSITIVE_INFINITY)
})

test('a host that answers as fast as ever has enough only with more than it has', () => {
  const fast = known()
  expect(fast.feed(100, 20, 2_000, 20)).toBe(23)
  expect(fast.feed(100, 26, 2_000, 26)).toBe(30)
})

/** Asked with as many as are enough, and with the whole limit where that is not known: a last figure without a look. */
function settled(workers: number, limit: number, firstMs = 100): number {
  const crowding = newCrowding()
  let settledAt = 0
  for (let nowMs = 1; nowMs <= 20_000; nowMs += 1) {
    const enough = enoughFor(crowding, limit)
    const isLook = enough === Math.floor(limit / 2)
    if (nowMs > 5_000 && !isLook) settledAt = enough
    const isFirst = nowMs <= 64
    const inFlight = Math.min(limit, enough, isFirst ? 6 : limit)
    const firstByteMs = (isFirst ? firstMs : 100) * Math.max(1, inFlight / workers)
    learnCrowding(crowding, { ...good, firstByteMs, inFlight, nowMs, startedMs: nowMs }, limit)
  }
  return settledAt
}

test('a host with a queue has enough at a little more than it works at, however long its queue is', () => {
  for (const workers of [1, 2, 3, 4, 6, 10, 20, 40])
    for (const times of [1.5, 1.9]) {
      const enough = settled(workers, Math.max(workers + 1, Math.round(workers * times)))
      expect(enough).toBeGreaterThanOrEqual(workers)
      expect(enough).toBeLessThanOrEqual(1.2 * workers + 1)
    }
})

test('a host without a queue has never enough within its limit', () => {
  for (const workers of [2, 3, 4, 6, 10, 20, 40]) expect(settled(workers, workers)).toBeGreaterThanOrEqual(workers)
})

test('a host whose first answers were faster by chance is held back no longer when it was looked at', () => {
  for (const workers of [14, 20, 40]) expect(settled(workers, workers, 75)).toBeGreaterThanOrEqual(workers)
})

test('a crowded host is looked at with half of its limit', () => {
  const crowded = known()
  expect(crowded.feed(180, 30, 270, 30)).toBe(15)
  expect(crowded.feed(100, 15, 127, 30)).toBe(15)
  expect(crowded.feed(100, 15, 1, 30)).toBe(18)
})

test('a look waits for answers to requests granted with little in flight', () => {
  const small = host()
  small.feed(200, 4, 64, 4)
  expect(small.feed(200, 4, 1_000, 4)).toBe(2)
})

test('of a host whose limit is small the first answers are forgotten: they had a queue of ours', () => {
  const small = host()
  expect(small.feed(200, 4, 64, 4)).toBe(2)
  small.feed(100, 2, 128, 4)
  expect(small.feed(200, 4, 200, 4)).toBe(3)
})

test('a host whose limit has outgrown that look keeps its first answers', () => {
  const growing = host()
  expect(growing.feed(100, 6, 64, 6)).toBe(3)
  expect(growing.feed(100, 12, 1, 12)).toBeGreaterThan(6)
  expect(growing.feed(100, 16, 1_000, 16)).toBe(18)
})

test('one worker can always have a second request', () => {
  const single = host()
  single.feed(200, 2, 64, 2)
  expect(single.feed(100, 1, 128, 2)).toBeGreaterThanOrEqual(1)
  expect(single.feed(100, 1, 1_000, 2)).toBe(2)
})

test('a late answer is of the time in which it was granted', () => {
  const punctual = known()
  const late = known()
  for (let nth = 0; nth < 20; nth += 1) late.late(400, 60, 20)
  punctual.feed(180, 22, 200, 30)
  late.feed(180, 22, 200, 30)
  expect(late.feed(180, 22, 1, 30)).toBeGreaterThan(punctual.feed(180, 22, 1, 30))
})

test('a host that became faster is crowded by what it takes now', () => {
  const faster = host()
  faster.feed(400, 6, 64, 20)
  faster.feed(100, 20, 2_000, 20)
  expect(faster.feed(240, 20, 250, 20)).toBeLessThan(20)
})
