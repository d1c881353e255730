import type { LimiterFactory, Sample } from './limiter.ts'

export interface FixedOptions {
  /** Requests in flight at any time: an integer, at least 1. */
  readonly max: number
}

/**
 * A constant: for hosts of one's own, whose capacity is known. It learns nothing from any answer, and a host that
 * can do less than `max` is driven into refusals for good. Only a Retry-After is obeyed, as by every policy.
 */
export const fixed: LimiterFactory<FixedOptions> = ({ max }) => {
  const limiter = {
    limit: max,
    readyAtMs: 0,
    probing: false,
    holdMs: 0,
    reason: 'fixed',
    observe({ verdict, retryAfterMs, nowMs }: Sample): void {
      if (verdict === 'good' || verdict === 'ignored' || retryAfterMs === null) return
      if (nowMs + retryAfterMs <= limiter.readyAtMs) return
      limiter.readyAtMs = nowMs + retryAfterMs
      limiter.reason = `Retry-After of ${Math.ceil(retryAfterMs / 1000)} s`
    },
  }
  return limiter
}
