import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/core/outcome.ts'
import type { LimiterPolicy } from '../../src/job/job.ts'
import { createLimiter } from '../../src/limit/index.ts'
import { createRandom } from '../sim/random.ts'
import { type Answer, createDriver, good, refused, timedOut } from './driver.ts'

const max = 16
const policies: readonly LimiterPolicy[] = [
  { policy: 'aimd', start: 2, max },
  { policy: 'courteous', start: 2, max: 4 },
  { policy: 'window', start: 2, max, budgetMs: 15_000 },
  { policy: 'blockrate', start: 2, max },
  { policy: 'gradient', start: 2, max },
  { policy: 'vegas', start: 2, max },
]
const slow: Answer = { ...good, firstByteMs: 600 }

/** What can only lower a limit, and what can only raise it. */
const lowers = /^(?:refused|timed out|blocked|slower than usual|a look at the host)/
const raises =
  /^(?:slow start|searching|trying one more|the end of that look|no slower than usual|a clean window|climbing|no more blocked)/

/** So many answers of a kind, often enough of them that a limit of 16 has been looked at with little load. */
const stretch = fc.record({
  times: fc.integer({ min: 1, max: 120 }),
  verdict: fc.constantFrom<Verdict>('good', 'good', 'good', 'refused', 'timeout', 'error'),
  firstByteMs: fc.constantFrom(100, 600, 2_000),
  retryAfterMs: fc.option(fc.constant(1_000), { freq: 8 }),
})

test.each(policies)('no limit of $policy rises because of a refusal, nor falls because all is well', policy => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 12 }), stretches => {
      const limiter = createLimiter(policy, createRandom(1))
      const driver = createDriver(limiter)
      driver.feed(good, 100)
      for (const { times, verdict, ...answer } of stretches)
        for (let n = 0; n < (verdict === 'good' ? times : times % 4); n += 1) {
          const before = limiter.limit
          const after = driver.feed({ ...good, ...answer, verdict, ...(verdict === 'good' && { retryAfterMs: null }) })
          if (after > before) expect(limiter.reason).not.toMatch(lowers)
          if (after < before) expect(limiter.reason).not.toMatch(raises)
        }
    }),
  )
})

describe('a look of aimd at a host with little load', () => {
  const looking = () => {
    const limiter = createLimiter({ policy: 'aimd', start: 2, max }, createRandom(1))
    const driver = createDriver(limiter)
    driver.feed(good, 100)
    while (limiter.limit === max) driver.feed(slow)
    expect(limiter.reason).toBe('a look at the host with little load')
    return { limiter, driver, little: limiter.limit }
  }

  test.each([refused, timedOut])('is not broken off, with more load, because the host answers "$verdict"', bad => {
    const { limiter, driver, little } = looking()
    driver.feed(slow, 5)
    expect(driver.feed(bad)).toBe(little)
    expect(driver.feed(slow)).toBe(little)
    // By then it has seen enough, and what the refusal has cut stays cut.
    expect(driver.feed(slow, 32)).toBeGreaterThan(little)
    expect(limiter.limit).toBeLessThan(max)
    expect(limiter.reason).toMatch(/^(?:the end of that look|at four times the unloaded latency|searching)$/)
  })

  test('ends when the host is back after a pause', () => {
    const { limiter, driver } = looking()
    driver.feed({ ...refused, retryAfterMs: 5_000 })
    expect(driver.feed(good)).toBe(2)
    expect(limiter.reason).toBe('the probe after the pause was answered')
    expect(driver.feed(good, 12)).toBeGreaterThan(8)
  })
})
