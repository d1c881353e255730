import { type AdaptiveOptions, createAdaptive, lossRatio, lossReason, type Rule, type Step } from './adaptive.ts'
import { beginWindow, countAnswer, meanMs, newAnswerWindow, wasUsed } from './answer-window.ts'
import type { LimiterFactory } from './limiter.ts'

/**
 * TCP Vegas (Brakmo and Peterson, 1995), as Netflix/concurrency-limits turned it into a limit of requests: estimates
 * how many of its own requests wait in the host's queue, and keeps that number small.
 *
 *     R    mean first byte of the last window of max(10, L) answers, ms
 *     R0   the smallest R since the last probe, ms: the host without a queue
 *     Q    L (1 - R0/R): requests of ours in its queue
 *     l    max(1, floor(log10 L))
 *
 *     Q <= l             L = L + 6 l
 *     Q < 3 l            L = L + l
 *     Q > 6 l            L = L - l
 *     refused, timeout   L = 0.85 L, once for what was granted before the cut
 *     after 30 L answers R0 = R: a probe, or a host that became slower would be taken for a full one for ever
 *
 * The original takes single samples for R and lowers by l at a loss; the first is noise where service times vary by
 * more than a queue of four does, hence windows, and the second is too little for a host that refuses. Up only
 * where the limit was used. The first step, 6 l, is at most L here: from 2 to 4 and not to 8.
 *
 * Known weakness: it stops at a queue of a few requests, so it fills hosts with regular service only; where service
 * times vary it stays below capacity, and its probe takes the queue of the moment for none at all.
 */
const windowAnswers = 10
const probeWindows = 30

function createRule(): Rule {
  const window = newAnswerWindow()
  let unloadedMs = Number.POSITIVE_INFINITY
  let answersToProbe = Number.POSITIVE_INFINITY

  function step(limit: number, latencyMs: number, isFull: boolean): Step | null {
    const unit = Math.max(1, Math.floor(Math.log10(limit)))
    const queued = limit * (1 - unloadedMs / latencyMs)
    if (queued > 6 * unit) return { limit: limit - unit, reason: `${Math.round(queued)} in the queue of the host` }
    if (!isFull || queued >= 3 * unit) return null
    const more = queued <= unit ? Math.min(6 * unit, limit) : unit
    return { limit: limit + more, reason: 'little in the queue of the host' }
  }

  return {
    answered(sample, limit) {
      if (!countAnswer(window, sample, limit, false)) return null
      const latencyMs = meanMs(window)
      if (window.answers < Math.max(windowAnswers, limit) || latencyMs === null) return null
      const { answers } = window
      const isFull = wasUsed(window)
      beginWindow(window, sample.nowMs)
      answersToProbe -= answers
      if (answersToProbe <= 0 || latencyMs < unloadedMs) {
        unloadedMs = latencyMs
        answersToProbe = probeWindows * limit
      }
      return step(limit, latencyMs, isFull)
    },
    lost(sample, limit) {
      beginWindow(window, sample.nowMs)
      return { limit: limit * lossRatio, reason: lossReason(sample) }
    },
    restarted() {
      beginWindow(window, Number.NEGATIVE_INFINITY)
      unloadedMs = Number.POSITIVE_INFINITY
    },
  }
}

export const vegas: LimiterFactory<AdaptiveOptions> = (options, random) => createAdaptive(options, createRule(), random)
