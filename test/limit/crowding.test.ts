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

/** What it is told to be enough, while that many are in flight and each worker answers in so many ms; at last. */
function levels(workers: number, limit: number, { firstMs = 100, usualMs = 100, crowding = newCrowding() } = {}) {
  const fromMs = crowding.breath.sinceMs > 0 ? crowding.breath.sinceMs + 1_000 : 0
  const seen: number[] = []
  for (let nowMs = fromMs + 1; nowMs <= fromMs + 20_000; nowMs += 1) {
    const enough = Math.min(limit, enoughFor(crowding, limit))
    const isFirst = nowMs <= 64
    const inFlight = isFirst ? Math.min(6, limit) : enough
    const firstByteMs = (isFirst ? firstMs : usualMs) * Math.max(1, inFlight / workers)
    learnCrowding(crowding, { ...good, firstByteMs, inFlight, nowMs, startedMs: nowMs }, limit)
    if (nowMs > fromMs + 10_000) seen.push(enough)
  }
  const mean = seen.reduce((sum, enough) => sum + enough, 0) / seen.length
  return { least: Math.min(...seen), most: Math.max(...seen), mean }
}

const sizes = [1, 2, 3, 4, 6, 10, 20, 40]

test('a host that answers as fast as ever has enough with a little less than it has, and then with nothing', () => {
  const fast = known()
  fast.feed(100, 20, 2_000, 20)
  const seen = new Set<number>()
  for (let nth = 0; nth < 1_000; nth += 1) seen.add(fast.feed(100, 20, 1, 20))
  expect(seen).toEqual(new Set([19, Number.POSITIVE_INFINITY]))
})

test('a host with a queue has enough at what it works at, a little more and a little less, in turns', () => {
  for (const workers of sizes)
    for (const times of [1.5, 1.9]) {
      const { least, most, mean } = levels(workers, Math.max(workers + 1, Math.round(workers * times)))
      expect(least).toBeGreaterThanOrEqual(Math.floor(0.9 * workers))
      expect(least).toBeLessThanOrEqual(workers)
      expect(most).toBeGreaterThan(workers)
      expect(most).toBeLessThanOrEqual(1.2 * workers + 1)
      expect(mean).toBeLessThanOrEqual(1.1 * workers + 0.7)
    }
})

test('a queue four times as long as the host has workers keeps at most half of the places', () => {
  for (const workers of [6, 10, 20, 40]) expect(levels(workers, 5 * workers).mean).toBeLessThanOrEqual(2.7 * workers)
})

test('a host without a queue has never enough within its limit but in the calm half, and then with nearly all', () => {
  for (const workers of sizes) {
    const { least, most } = levels(workers, workers)
    expect(most).toBe(workers)
    expect(least).toBeGreaterThanOrEqual(Math.floor(0.95 * workers))
  }
})

test('a host whose first answers were faster by chance is held back no longer when it was heard again', () => {
  for (const workers of [14, 20, 40]) expect(levels(workers, workers, { firstMs: 75 }).most).toBe(workers)
})

test('a host that was given more workers has enough with more', () => {
  const crowding = newCrowding()
  expect(levels(10, 19, { crowding }).most).toBeLessThanOrEqual(13)
  expect(levels(18, 35, { crowding }).most).toBeGreaterThanOrEqual(18)
})

test('a host that has lost workers has enough with fewer', () => {
  const crowding = newCrowding()
  levels(20, 38, { crowding })
  expect(levels(10, 19, { crowding }).most).toBeLessThanOrEqual(14)
})

test('a host that became slow without a queue is held back no longer when it was heard again', () => {
  const crowding = newCrowding()
  levels(20, 20, { crowding })
  expect(levels(20, 20, { usualMs: 200, crowding }).most).toBe(20)
})

test('of a host that became faster the queue is found by and by', () => {
  expect(levels(10, 19, { firstMs: 400 }).mean).toBeLessThanOrEqual(15)
})

test('a look waits for answers to requests granted with little in flight', () => {
  const small = host()
  small.feed(200, 4, 64, 4)
  expect(small.feed(200, 4, 1_000, 4)).toBe(2)
})

test('of a host whose limit is small the first answers are forgotten: they had a queue of ours', () => {
  expect(host().feed(200, 4, 64, 4)).toBe(2)
  expect(levels(2, 4, { firstMs: 200 })).toMatchObject({ least: 2, most: 3 })
})

test('a host whose limit has outgrown that look keeps its first answers', () => {
  const growing = host()
  expect(growing.feed(100, 6, 64, 6)).toBe(3)
  expect(growing.feed(100, 12, 1, 12)).toBeGreaterThan(6)
  expect(growing.feed(100, 16, 1_000, 16)).toBeGreaterThanOrEqual(15)
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
