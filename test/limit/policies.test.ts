import { describe, expect, test } from 'vitest'
import type { LimiterPolicy } from '../../src/job/job.ts'
import { createLimiter } from '../../src/limit/index.ts'
import { createRandom } from '../sim/random.ts'
import { type Answer, blocked, createDriver, good, refused, timedOut } from './driver.ts'

const make = (policy: LimiterPolicy) => {
  const limiter = createLimiter(policy, createRandom(1))
  return { limiter, driver: createDriver(limiter) }
}
const slow = (firstByteMs: number): Answer => ({ ...good, firstByteMs })
/** Service times as of a host whose work varies: exponential, mean 100 ms. */
const varied = (count: number, seed = 7): readonly Answer[] => {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => slow(-100 * Math.log(1 - random())))
}

describe('courteous', () => {
  const policy: LimiterPolicy = { policy: 'courteous', start: 2, max: 4 }

  test('gives itself a place for every 32 answers of a host at ease, up to four', () => {
    const { driver } = make(policy)
    expect(driver.feed(good, 31)).toBe(2)
    expect(driver.feed(good)).toBe(3)
    expect(driver.feed(good, 32)).toBe(4)
    expect(driver.feed(good, 1_000)).toBe(4)
  })

  test('is at one with the first refusal or 403, and one less with a time-out', () => {
    const first = make(policy)
    first.driver.feed(good, 100)
    expect(first.driver.feed(refused)).toBe(1)
    const banned = make(policy)
    banned.driver.feed(good, 100)
    expect(banned.driver.feed(blocked)).toBe(1)
    expect(banned.limiter.reason).toBe('blocked')
    const second = make(policy)
    second.driver.feed(good, 100)
    expect(second.driver.feed(timedOut)).toBe(3)
  })

  test('is at one with a refusal, whatever was cut in the same round trip', () => {
    for (const answer of [refused, blocked]) {
      const { limiter, driver } = make(policy)
      driver.feed(good, 100)
      const startedMs = driver.nowMs + 1
      const ended = ({ load, ...reading }: Answer, afterMs: number): number => {
        limiter.observe({ ...reading, startedMs, nowMs: startedMs + afterMs, inFlight: 4 * load })
        return limiter.limit
      }
      expect([ended(timedOut, 5_000), ended(timedOut, 5_001), ended(answer, 5_002)]).toEqual([3, 3, 1])
    }
  })

  test('takes places away from a host that becomes slow, and never adds one to make up for it', () => {
    const { limiter, driver } = make(policy)
    driver.feed(good, 100)
    const limits = Array.from({ length: 60 }, () => driver.feed(slow(800)))
    expect(Math.min(...limits)).toBe(1)
    expect(limits.every((limit, nth) => limit <= (limits[nth - 1] ?? 4))).toBe(true)
    expect(limiter.reason).toBe('slower than usual')
  })

  test('is at home on a host whose answers vary', () => {
    const { driver } = make(policy)
    expect(driver.feedAll(varied(400))).toBe(4)
  })
})

describe('window', () => {
  const policy: LimiterPolicy = { policy: 'window', start: 20, max: 100, budgetMs: 1_000 }
  const limitAfter = (bad: number, answer: Answer): number => {
    const { driver } = make(policy)
    const isBad = (nth: number): boolean => nth % 5 === 0 && nth < 5 * bad
    return driver.feedAll(Array.from({ length: 50 }, (_, nth) => (isBad(nth) ? answer : good)))
  }

  test('decides nothing on less than a full window', () => {
    const { driver } = make(policy)
    expect(driver.feed(good, 49)).toBe(20)
    expect(driver.feed(good)).toBe(22)
    expect(driver.feed(good, 49)).toBe(22)
  })

  test.each([
    [1, 21],
    [5, 18],
    [10, 10],
  ])('with %i bad of 50 goes from 20 to %i', (bad, limit) => {
    expect(limitAfter(bad, refused)).toBe(limit)
  })

  test('takes an answer slower than 0.8 of its time for a bad one', () => {
    expect([limitAfter(10, slow(799)), limitAfter(10, slow(801))]).toEqual([22, 10])
  })
})

describe('blockrate', () => {
  const policy: LimiterPolicy = { policy: 'blockrate', start: 2, max: 1_000 }
  /** One of every so many is refused. */
  const blocking = (count: number, every: number): readonly Answer[] =>
    Array.from({ length: count }, (_, nth) => (nth % every === every - 1 ? refused : good))

  test('climbs while the block rate stays what it is anyway', () => {
    const { driver } = make(policy)
    expect(driver.feedAll(blocking(2_000, 50))).toBeGreaterThan(100)
  })

  test('takes answers that say "not you" for blocks, where there are more of them than usual', () => {
    const { limiter, driver } = make(policy)
    const before = driver.feed(good, 400)
    driver.feed(blocked, 8)
    expect(limiter.limit).toBeLessThan(before)
  })

  test('retreats by a fifth where it moves, and holds for a minute', () => {
    const { limiter, driver } = make(policy)
    const before = driver.feed(good, 400)
    while (limiter.limit === before) driver.feedAll(blocking(5, 5))
    const held = limiter.limit
    expect(held / before).toBeCloseTo(0.8, 1)
    expect(limiter.reason).toMatch(/% blocked$/)
    driver.feed(good, 500)
    expect(limiter.limit).toBe(held)
    driver.pass(60_000)
    driver.feed(good, 300)
    expect(limiter.limit).toBeGreaterThan(held)
  })
})

describe('gradient', () => {
  const policy: LimiterPolicy = { policy: 'gradient', start: 2, max: 1_000 }

  test('grows while answers take as long as usual, and falls where they take longer', () => {
    const { limiter, driver } = make(policy)
    const before = driver.feed(good, 2_000)
    expect(before).toBeGreaterThan(20)
    expect(driver.feed(slow(400), 200)).toBeLessThan(before)
    expect(limiter.reason).toBe('slower than usual')
  })

  test('falls on refusals, which the published one does not look at', () => {
    const { driver } = make(policy)
    const before = driver.feed(good, 2_000)
    expect(driver.feed(refused, 5)).toBeLessThan(0.5 * before)
  })
})

describe('vegas', () => {
  const policy: LimiterPolicy = { policy: 'vegas', start: 2, max: 1_000 }
  /** A host of ten workers: what is above waits. */
  const ofTen = (limit: number): Answer => slow(100 * Math.max(1, limit / 10))

  // Above ten by its queue, and by what each probe takes for an empty one.
  test('stops at a queue of a few requests on a host of regular service', () => {
    const { limiter, driver } = make(policy)
    for (let n = 0; n < 2_000; n += 1) driver.feed(ofTen(limiter.limit))
    const limits = Array.from({ length: 200 }, () => driver.feed(ofTen(limiter.limit)))
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...limits)).toBeLessThanOrEqual(40)
  })
})
