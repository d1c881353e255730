import { type AdaptiveOptions, createAdaptive, lossReason, type Rule } from './adaptive.ts'
import { isUsed } from './answer-window.ts'
import { lnMs } from './baseline.ts'
import type { LimiterFactory } from './limiter.ts'

/**
 * A guest's manners, for hosts that somebody else pays for: never more than 4 requests in flight, one at the first
 * refusal, and less as soon as the host shows that it has work to do. The rule is that of a careful operator's hand
 * book rather than of a paper.
 *
 *     F      running mean of ln(first byte in ms), weight 1/8: the last few answers
 *     U      the same with weight 1/128: what is usual here
 *     P      ln of the 95th percentile of single answers, at least U + ln 1.7
 *
 *     refused          L = 1, whenever it was granted; a 403 counts too
 *     timed out        L = L - 1, at least 1
 *     F > P + ln 1.5   L = L - 1: the usual answer is slower than the slowest of before
 *     F < P + ln 0.6   L = L + 1, where 32 answers came since L last changed, and L was used
 *
 * P by stochastic approximation (Robbins and Monro, 1951): up by 0.95 of a step at an answer above it, down by 0.05 of
 * a step at one below: one number, and no window to sort. The floor of P is there for hosts that take equally long
 * for every page: their percentile is their mean, no mean is below 0.6 of itself, and they would stay at 1 for good.
 *
 * 32 answers a step: at most one more request each 8 round trips of a full limit. A host that becomes slower is never
 * given more in order to keep the pace; it is given back its places once the slower answers are what is usual.
 *
 * Known weakness: 4 is 4. A host of 16 workers is used to a quarter, which is what is wanted.
 */
export const courteousMax = 4

const recentMemory = 8
const usualMemory = 128
const answersAStep = 32
const slowLn = Math.log(1.5)
const calmLn = Math.log(0.6)
const leastSpreadLn = Math.log(1.7)
/** Of the percentile, in ln: large until it is roughly known. */
const firstStepLn = 0.3
const stepLn = 0.05
const answersToKnow = 64

function createRule(): Rule {
  let answers = 0
  let sinceChange = 0
  let recentLn = 0
  let usualLn = 0
  let p95Ln = 0

  function learn(firstByteMs: number): void {
    const ln = lnMs(firstByteMs)
    answers += 1
    recentLn += (ln - recentLn) / Math.min(answers, recentMemory)
    usualLn += (ln - usualLn) / Math.min(answers, usualMemory)
    if (answers === 1) p95Ln = ln
    p95Ln += (answers < answersToKnow ? firstStepLn : stepLn) * (ln > p95Ln ? 0.95 : -0.05)
    p95Ln = Math.max(p95Ln, usualLn + leastSpreadLn)
  }

  function change(limit: number, reason: string) {
    sinceChange = 0
    return { limit, reason }
  }

  return {
    answered(sample, limit) {
      if (sample.firstByteMs === null) return null
      learn(sample.firstByteMs)
      if (isUsed(sample, limit)) sinceChange += 1
      if (recentLn > p95Ln + slowLn) return change(limit - 1, 'slower than usual')
      const isCalm = recentLn < p95Ln + calmLn && sinceChange >= answersAStep
      return isCalm ? change(limit + 1, 'the host is at ease') : null
    },
    lost(sample, limit) {
      return change(sample.verdict === 'timeout' ? limit - 1 : 1, lossReason(sample))
    },
    // Less than all of it may have been given way before, by a time-out of the same round trip.
    lostLate: sample => (sample.verdict === 'timeout' ? null : change(1, lossReason(sample))),
    losesByBlocks: true,
    restarted() {
      sinceChange = 0
    },
  }
}

export const courteous: LimiterFactory<AdaptiveOptions> = ({ start, max }, random) =>
  createAdaptive({ start, max: Math.min(max, courteousMax) }, createRule(), random)
