import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import type { Fate } from '../../src/core/fate.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { earnRetries, newRetryBudget, takeRetry, withinBudget } from '../../src/pace/retry-budget.ts'

const longestMs = 600_000

describe('the retries of a host', () => {
  test('are ten at once for a host that was hardly asked, as a small job needs', () => {
    const budget = newRetryBudget()
    const waits = Array.from({ length: 10 }, () => takeRetry(budget, 1_000, longestMs))
    expect(waits).toEqual(Array.from({ length: 10 }, () => 0))
  })

  test('then wait, one each five seconds, and end where a URL may not wait so long', () => {
    const budget = newRetryBudget()
    const waits = Array.from({ length: 200 }, () => takeRetry(budget, 1_000, longestMs))
    expect(waits.slice(10, 13)).toEqual([5_000, 10_000, 15_000])
    expect(waits.filter(wait => wait !== null)).toHaveLength(10 + 120)
    expect(waits.at(-1)).toBeNull()
  })

  test('are a tenth of its requests, saved up to a hundred', () => {
    const budget = newRetryBudget()
    for (let n = 0; n < 200; n += 1) earnRetries(budget, 0.1)
    expect(Math.round(budget.tokens)).toBe(30)
    for (let n = 0; n < 100_000; n += 1) earnRetries(budget, 0.1)
    expect(budget.tokens).toBe(100)
  })

  test('are never more than saved, earned, and one each five seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ afterMs: fc.nat(10_000), isRetry: fc.boolean() })), steps => {
        const budget = newRetryBudget()
        let nowMs = 0
        let answers = 0
        const leaveMs: number[] = []
        for (const { afterMs, isRetry } of steps) {
          nowMs += afterMs
          answers += 1
          earnRetries(budget, 0.1)
          const waitMs = isRetry ? takeRetry(budget, nowMs, longestMs) : null
          if (waitMs !== null) leaveMs.push(nowMs + waitMs)
        }
        const lastMs = Math.max(nowMs, ...leaveMs)
        expect(leaveMs.length).toBeLessThanOrEqual(10 + answers * 0.1 + lastMs / 5_000 + 1)
      }),
    )
  })
})

describe('a fate', () => {
  const fault = faultOf('SERVER_ERROR', 'http://a.test/ answered 500')
  const failed: Outcome = { kind: 'failed', fault, status: 500, timing: null, retryAfterMs: null }
  const retry = (charge: 'url' | 'proxy' | 'wait'): Fate => ({ kind: 'retry', notBeforeMs: 2_000, charge })

  test('that the URL pays waits for the budget of its host', () => {
    expect(withinBudget(retry('url'), failed, 1_000, () => 0)).toEqual(retry('url'))
    expect(withinBudget(retry('url'), failed, 1_000, () => 9_000)).toMatchObject({ notBeforeMs: 10_000 })
  })

  test('without budget is the end, with the cause of the last attempt', () => {
    const fate = withinBudget(retry('url'), failed, 1_000, () => null)
    expect(fate).toMatchObject({ kind: 'dead', status: 500, fault: { code: 'SERVER_ERROR' } })
    expect(fate.kind === 'dead' && fate.fault.message).toMatch(/answered 500; not tried again: .*retries\.budget/)
  })

  test.each(['proxy', 'wait'] as const)('that the ledger "%s" pays is not asked for', charge => {
    const take = (): null => expect.unreachable()
    expect(withinBudget(retry(charge), failed, 1_000, take)).toEqual(retry(charge))
  })
})
