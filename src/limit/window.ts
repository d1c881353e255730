import { type AdaptiveOptions, createAdaptive, type Rule } from './adaptive.ts'
import { badShare, beginWindow, countAnswer, newAnswerWindow, wasUsed } from './answer-window.ts'
import type { LimiterFactory, Sample } from './limiter.ts'

/**
 * Decides on the share of bad outcomes among the last N, as operators of large crawls do by hand: it moves seldom, in
 * steps that can be explained, and a single bad answer moves it by a little only.
 *
 *     N        outcomes of requests granted since the last decision: 50
 *     bad      refused, timed out, or slower to the first byte than 0.8 of the time budget
 *
 *     none bad       L = L + 2
 *     below  5 %     L = 1.05 L
 *     below 20 %     L = 0.9 L
 *     else           L = 0.5 L
 *
 * Nothing is decided before the window is full, and every decision empties it: the next one is then about the limit that
 * this one chose, and not about the answers that chose it. Up it goes only where half of the requests were granted
 * while the limit was used. 50 outcomes, since with 20 a single bad one is 5 % already.
 *
 * Why it is emptied, and does not only let the oldest outcome go: the same 50 would be decided on again and again, and
 * one burst of refusals would halve L with each answer that follows, as one clean stretch would add 2 with each. On a
 * host of 16 workers with a queue of 16 that uses 28 % of them (emptied: all); one decision for each round trip on the
 * last 50 outcomes refuses 4.2 % (2.1 %), and four clients share with a Jain index of 0.63 (0.96).
 *
 * Known weakness: 50 outcomes at a limit of 2 are 25 round trips, so it climbs slowly on slow hosts (14 s to 64 at
 * 100 ms, two minutes at 1 s) and comes down late: between two decisions a host that lost three quarters of its
 * capacity refuses most of what it is asked. Up to 5 % of bad answers are the price that it pays for good.
 */
export interface WindowOptions extends AdaptiveOptions {
  /** How long an answer may take; slower than 0.8 of it is as bad as none. */
  readonly budgetMs: number
}

const outcomesToDecide = 50
const slowRatio = 0.8

function decide(share: number, limit: number): { readonly limit: number; readonly reason: string } {
  const percent = `${Math.round(share * 100)} % bad`
  if (share === 0) return { limit: limit + 2, reason: 'a clean window' }
  if (share < 0.05) return { limit: limit * 1.05, reason: percent }
  return { limit: limit * (share < 0.2 ? 0.9 : 0.5), reason: percent }
}

function createRule(budgetMs: number): Rule {
  const window = newAnswerWindow()

  function count(sample: Sample, limit: number, isBad: boolean) {
    if (!countAnswer(window, sample, limit, isBad) || window.answers < outcomesToDecide) return null
    const step = decide(badShare(window), limit)
    const mayMove = step.limit < limit || wasUsed(window)
    beginWindow(window, sample.nowMs)
    return mayMove ? step : null
  }

  return {
    answered: (sample, limit) => count(sample, limit, (sample.firstByteMs ?? 0) > slowRatio * budgetMs),
    lost: (sample, limit) => count(sample, limit, true),
    restarted: () => beginWindow(window, Number.NEGATIVE_INFINITY),
  }
}

export const window: LimiterFactory<WindowOptions> = (options, random) =>
  createAdaptive(options, createRule(options.budgetMs), random)
