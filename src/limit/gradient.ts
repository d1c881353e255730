import { type AdaptiveOptions, createAdaptive, lossRatio, lossReason, type Rule } from './adaptive.ts'
import { beginWindow, countAnswer, meanMs, newAnswerWindow, wasUsed } from './answer-window.ts'
import type { LimiterFactory } from './limiter.ts'

/**
 * Gradient2 of Netflix/concurrency-limits: the limit follows the ratio of the latency in the long run to that of now.
 *
 *     S    mean first byte of the last window of max(10, L) answers, ms
 *     M    running mean of S over about 600 answers, ms; lowered by 5 % a window while M > 2 S
 *     g    max(0.5, min(1, 1.5 M / S)): 1 while answers take at most 1.5 times as long as usual
 *     q    room for a queue: 4, at most L
 *
 *     each window        L = 0.8 L + 0.2 (g L + q)
 *     refused, timeout   L = 0.85 L, once for what was granted before the cut
 *
 * The constants are the published ones. Three things differ. It falls on losses: the original never looks whether a
 * sample was dropped, and drives a host that answers 429 fast into refusing nine requests of ten. Its floor is 1 and not
 * 20, and q is at most L: a scraper must not double its load at each window where a host can bear one request. And it
 * grows only where the limit was used to 0.8 in half of the window, not to a half at its end.
 *
 * Known weakness: M follows the queue that we make ourselves, so on a host that queues for ever the limit creeps up,
 * by about q/5 a window; and clients that came at different loads know different M and get different shares.
 */
const windowAnswers = 10
const memoryAnswers = 600
const tolerance = 1.5
const leastGradient = 0.5
const smoothing = 0.2
const queue = 4
const decay = 0.95

function createRule(): Rule {
  const window = newAnswerWindow()
  let longMs = 0
  let known = 0

  function learn(shortMs: number, answers: number): void {
    known = Math.min(memoryAnswers, known + answers)
    longMs += (shortMs - longMs) * Math.min(1, answers / known)
    // After a long time of heavy load, what is usual must come down faster than by its own mean.
    if (longMs > 2 * shortMs) longMs *= decay
  }

  return {
    answered(sample, limit) {
      if (!countAnswer(window, sample, limit, false)) return null
      const shortMs = meanMs(window)
      if (window.answers < Math.max(windowAnswers, limit) || shortMs === null) return null
      learn(shortMs, window.answers)
      const isFull = wasUsed(window)
      beginWindow(window, sample.nowMs)
      const gradient = Math.max(leastGradient, Math.min(1, (tolerance * longMs) / shortMs))
      const next = (1 - smoothing) * limit + smoothing * (gradient * limit + Math.min(queue, limit))
      if (next > limit && !isFull) return null
      return { limit: next, reason: next < limit ? 'slower than usual' : 'no slower than usual' }
    },
    lost(sample, limit) {
      beginWindow(window, sample.nowMs)
      return { limit: limit * lossRatio, reason: lossReason(sample) }
    },
    restarted: () => beginWindow(window, Number.NEGATIVE_INFINITY),
  }
}

export const gradient: LimiterFactory<AdaptiveOptions> = (options, random) =>
  createAdaptive(options, createRule(), random)
