import { learnLatency, meanLatencyMs, memoryOf, newBaseline, unknownLatencyMs } from './baseline.ts'
import type { LimiterFactory, Sample } from './limiter.ts'

export interface FixedOptions {
  /** Requests in flight at any time: an integer, at least 1. */
  readonly max: number
}

/**
 * A constant: for hosts of one's own, whose capacity is known. No answer moves it, and a host that can do less than
 * `max` is driven into refusals for good. What every policy does it does too: a Retry-After is obeyed, after which one
 * request goes alone until it is answered well, and a bad answer keeps its permit as long as a good one would have, or a
 * host that fails at once would be asked 50 times as often.
 */
export const fixed: LimiterFactory<FixedOptions> = ({ max }) => {
  const latency = newBaseline()
  let pausedAtMs = Number.NEGATIVE_INFINITY
  const limiter = {
    limit: max,
    readyAtMs: 0,
    probing: false,
    holdMs: unknownLatencyMs,
    enough: Number.POSITIVE_INFINITY,
    reason: 'fixed',
    observe(sample: Sample): void {
      const { verdict, firstByteMs, stalled, pageless = false, retryAfterMs, nowMs } = sample
      if (verdict === 'good' && firstByteMs !== null && !stalled && !pageless) {
        learnLatency(latency, firstByteMs, memoryOf(max))
        limiter.holdMs = meanLatencyMs(latency)
      }
      if (verdict === 'good' && sample.blocked !== true && sample.startedMs > pausedAtMs) limiter.probing = false
      if (verdict === 'good' || verdict === 'ignored' || retryAfterMs === null || retryAfterMs === 0) return
      if (nowMs + retryAfterMs <= limiter.readyAtMs) return
      pausedAtMs = nowMs
      limiter.probing = true
      limiter.readyAtMs = nowMs + retryAfterMs
      limiter.reason = `Retry-After of ${Math.ceil(retryAfterMs / 1000)} s`
    },
  }
  return limiter
}
