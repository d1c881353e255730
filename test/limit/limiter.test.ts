import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/core/outcome.ts'
import type { LimiterPolicy } from '../../src/job/job.ts'
import { createLimiter, type limiters } from '../../src/limit/index.ts'
import type { Limiter } from '../../src/limit/limiter.ts'
import { createRandom } from '../sim/random.ts'
import { blocked, createDriver, gone, good, refused, timedOut } from './driver.ts'

const max = 32
const policies: { readonly [N in keyof typeof limiters]: LimiterPolicy } = {
  fixed: { policy: 'fixed', max },
  aimd: { policy: 'aimd', start: 2, max },
  courteous: { policy: 'courteous', start: 2, max: 4 },
  window: { policy: 'window', start: 2, max, budgetMs: 15_000 },
  blockrate: { policy: 'blockrate', start: 2, max },
  gradient: { policy: 'gradient', start: 2, max },
  vegas: { policy: 'vegas', start: 2, max },
}
/** What a policy need not do. */
const never = { falls: ['fixed'], grows: ['fixed'] }
/** Those to which a 403 says something. */
const minding = ['courteous', 'blockrate']
/** Losses in a row after which a policy has fallen: some decide on several answers. */
const patience: { readonly [N in keyof typeof limiters]?: number } = { window: 50, blockrate: 5 }

const anyAnswer = fc.record({
  verdict: fc.constantFrom<Verdict>('good', 'good', 'good', 'good', 'refused', 'timeout', 'error', 'ignored'),
  firstByteMs: fc.constantFrom(0, 1, 80, 100, 120, 600, 5_000),
  load: fc.constantFrom(0.1, 0.5, 1, 1.5),
  retryAfterMs: fc.option(fc.constantFrom(0, 1_000, 86_400_000), { freq: 20 }),
  stalled: fc.boolean(),
  pageless: fc.boolean(),
  blocked: fc.boolean(),
})

describe.each(Object.values(policies))('the policy $policy', policy => {
  const make = (seed = 1): Limiter => createLimiter(policy, createRandom(seed))
  const grown = () => {
    const limiter = make()
    const driver = createDriver(limiter)
    driver.feed(good, 300)
    return { limiter, driver }
  }

  test('has an integer limit from 1 to max and a pause on the clock, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 400 }), answers => {
        const limiter = make()
        const driver = createDriver(limiter)
        for (const answer of answers) {
          driver.feed(answer)
          expect(Number.isInteger(limiter.limit) && limiter.limit >= 1 && limiter.limit <= policy.max).toBe(true)
          expect(limiter.readyAtMs >= 0 && Number.isFinite(limiter.readyAtMs)).toBe(true)
          expect(limiter.holdMs >= 0 && Number.isFinite(limiter.holdMs)).toBe(true)
          expect(limiter.enough).toBeGreaterThanOrEqual(1)
          expect(limiter.reason).not.toBe('')
        }
      }),
    )
  })

  test('says the same for the same answers and the same seed', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 100 }), fc.integer(), (answers, seed) => {
        const said = [make(seed), make(seed)].map(limiter => {
          const driver = createDriver(limiter)
          return answers.map(answer => {
            driver.feed(answer)
            return [limiter.limit, limiter.readyAtMs, limiter.probing, limiter.reason]
          })
        })
        expect(said[0]).toEqual(said[1])
      }),
    )
  })

  test.skipIf(never.falls.includes(policy.policy))('falls on a refusal and on a time-out', () => {
    for (const verdict of ['refused', 'timeout'] as const) {
      const { limiter, driver } = grown()
      const before = limiter.limit
      driver.feed({ ...good, verdict }, patience[policy.policy] ?? 1)
      expect(limiter.limit).toBeLessThan(before)
    }
  })

  test.skipIf(never.falls.includes(policy.policy))(
    'is not cut by time-outs in which our own loop was blocked, but by refusals in such a time, and leaves a silent host alone',
    () => {
      const times = patience[policy.policy] ?? 1
      const silent = grown()
      const before = silent.limiter.limit
      expect(silent.driver.feed({ ...timedOut, stalled: true }, times)).toBe(before)
      expect(grown().driver.feed({ ...refused, stalled: true }, times)).toBeLessThan(before)
      silent.driver.feed({ ...timedOut, stalled: true }, policy.max)
      expect(silent.limiter.limit).toBe(before)
      expect(silent.limiter.probing).toBe(true)
      expect(silent.limiter.readyAtMs).toBeGreaterThan(silent.driver.nowMs)
    },
  )

  test.skipIf(never.grows.includes(policy.policy))('recovers when refusals stop', () => {
    const { limiter, driver } = grown()
    driver.feed({ ...good, verdict: 'refused' }, 20)
    expect(limiter.limit).toBeLessThan(policy.max / 2)
    driver.feed(good, 4_000)
    expect(limiter.limit).toBe(policy.max)
  })

  test('does not grow while it is not used', () => {
    const limiter = make()
    createDriver(limiter).feed({ ...good, load: 0.1 }, 1_000)
    expect(limiter.limit).toBeLessThanOrEqual(Math.max(2, make().limit))
  })

  test('is not cut twice for what was granted before the cut', () => {
    const { limiter, driver } = grown()
    const startedMs = driver.nowMs + 1
    const burst = (nowMs: number): void => {
      const { verdict, retryAfterMs, stalled } = { ...good, verdict: 'refused' as const }
      const inFlight = limiter.limit
      for (let n = 0; n < 60; n += 1)
        limiter.observe({ verdict, firstByteMs: 5, retryAfterMs, stalled, nowMs, startedMs, inFlight })
    }
    burst(startedMs + 10)
    const after = limiter.limit
    burst(startedMs + 20)
    expect(limiter.limit).toBe(after)
  })

  test('is unmoved by what is ignored', () => {
    const { limiter, driver } = grown()
    const before = { ...limiter }
    driver.feed({ ...good, verdict: 'ignored', retryAfterMs: 5_000 }, 100)
    expect({ ...limiter }).toEqual(before)
  })

  test('does not grow by a 404 or a 403 in 2 ms, nor takes the host for a faster one', () => {
    for (const answer of [gone, blocked]) {
      const { limiter, driver } = grown()
      const { limit, holdMs } = limiter
      driver.feed(answer, 1_000)
      expect(limiter.limit).toBeLessThanOrEqual(limit)
      expect(limiter.holdMs).toBe(holdMs)
      const young = make()
      const { limit: first } = young
      expect(createDriver(young).feed(answer, 1_000)).toBeLessThanOrEqual(first)
    }
  })

  test.skipIf(minding.includes(policy.policy))('is unmoved by answers that say "not you"', () => {
    const { limiter, driver } = grown()
    const before = { ...limiter }
    driver.feed(blocked, 100)
    expect({ ...limiter }).toEqual(before)
  })

  test('takes a 404 after a pause for the end of the outage, and a 403 for nothing', () => {
    const { limiter, driver } = grown()
    driver.feed({ ...good, verdict: 'refused', retryAfterMs: 7_000 })
    const { probing } = limiter
    driver.feed(blocked)
    expect(limiter.probing).toBe(probing)
    driver.feed(gone)
    expect(limiter.probing).toBe(false)
  })

  test('does not grow on errors, however fast they are', () => {
    const { limiter, driver } = grown()
    const before = limiter.limit
    for (let n = 0; n < 100; n += 1) {
      driver.feed({ ...good, verdict: 'error', firstByteMs: 1 })
      expect(limiter.limit).toBeLessThanOrEqual(before)
    }
  })

  test('leaves the host alone as long as its Retry-After says', () => {
    const { limiter, driver } = grown()
    driver.feed({ ...good, verdict: 'refused', retryAfterMs: 7_000 })
    expect(limiter.readyAtMs).toBeGreaterThanOrEqual(driver.nowMs + 7_000)
    expect(limiter.reason).toContain('7 s')
  })

  test('lets one request go alone after a Retry-After, until it is answered well', () => {
    const { limiter, driver } = grown()
    driver.feed({ ...good, verdict: 'refused', retryAfterMs: 7_000 })
    expect(limiter.probing).toBe(true)
    driver.feed({ ...good, verdict: 'error' })
    expect(limiter.probing).toBe(true)
    driver.feed(good)
    expect(limiter.probing).toBe(false)
  })

  test('is not paused by a Retry-After of nothing', () => {
    const { limiter, driver } = grown()
    driver.feed({ ...good, verdict: 'refused', retryAfterMs: 0 })
    expect(limiter.readyAtMs).toBeLessThanOrEqual(driver.nowMs)
  })
})
