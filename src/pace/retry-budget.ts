import { faultOf } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import type { Outcome } from '../core/outcome.ts'

/**
 * How many retries a host may get: a part of its requests, so that a host which fails everything is asked little more
 * often than if nobody tried again. The idea is the retry budget of Finagle and of gRPC's retry throttling; what differs
 * is what happens without a token. A service must answer at once and fails; a crawl has time, and lets the retry wait.
 *
 *     tokens   10 at first, plus `ratio` at each answer, at most 100: what a host has saved by being well
 *     retry    takes a token; without one it waits its turn behind the others that wait, one each 5 s
 *     none     the turn would come later than a URL may be kept waiting: the URL ends, and says so
 *
 * 10, so that a host of ten pages gets its few retries: a part of ten requests is one. 100, so that an hour of good
 * answers does not pay for a storm. One retry in 5 s harms no host, and brings home those of a small job.
 */
export interface RetryBudget {
  tokens: number
  /** Turn of the last retry that had no token. */
  lastTurnMs: number
}

const firstTokens = 10
const mostTokens = 100
const turnMs = 5_000

export const newRetryBudget = (): RetryBudget => ({ tokens: firstTokens, lastTurnMs: Number.NEGATIVE_INFINITY })

/** The host answered, well or badly. */
export function earnRetries(budget: RetryBudget, ratio: number): void {
  budget.tokens = Math.min(mostTokens, budget.tokens + ratio)
}

/** How long a retry must wait for its token, and takes it; null: none will come within `longestMs`. */
export function takeRetry(budget: RetryBudget, nowMs: number, longestMs: number): number | null {
  if (budget.tokens >= 1) {
    budget.tokens -= 1
    return 0
  }
  const atMs = Math.max(nowMs, budget.lastTurnMs) + turnMs
  if (atMs - nowMs > longestMs) return null
  budget.lastTurnMs = atMs
  return atMs - nowMs
}

/**
 * A fate under the budget of its host. Only what the URL itself pays is a retry here: waits that a host asked for and
 * ways round a broken proxy have ledgers of their own.
 * @param take asks the budget, as `takeRetry` does
 */
export function withinBudget(fate: Fate, outcome: Outcome, nowMs: number, take: () => number | null): Fate {
  if (outcome.kind !== 'failed' || fate.kind !== 'retry' || fate.charge !== 'url') return fate
  const waitMs = take()
  if (waitMs !== null) return { ...fate, notBeforeMs: Math.max(fate.notBeforeMs, nowMs + waitMs) }
  const { fault, status } = outcome
  const message = `${fault.message}; not tried again: the retries of its host are used up (retries.budget)`
  return { kind: 'dead', fault: faultOf(fault.code, message), status }
}
