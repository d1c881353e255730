import { forgetMean, learnLatency, meanLatencyMs, memoryOf, newBaseline } from './baseline.ts'
import { isLoss, type Limiter, type Sample } from './limiter.ts'
import { endOutage, newOutage, pauseIfBad } from './outage.ts'

export interface AdaptiveOptions {
  /** First limit. */
  readonly start: number
  /** Never more. */
  readonly max: number
}

/** Where a rule wants the limit: a real number, which is kept within 1 and `max`. */
export interface Step {
  readonly limit: number
  readonly reason: string
}

/**
 * What a policy is beside what all of them share. It is told of answers to requests that were granted after the limit
 * was last lowered, none of them touched by a stall of our own loop unless it was refused. Null: the limit stays.
 */
export interface Rule {
  /** With a page. */
  answered(sample: Sample, limit: number): Step | null
  /** Refused or timed out; or told "not you" (403), where `losesByBlocks`. */
  lost(sample: Sample, limit: number): Step | null
  /** The same of what was granted before the limit was last lowered. Left out: it is not counted again. */
  lostLate?(sample: Sample): Step | null
  /** Left out: a 403 teaches nothing. */
  readonly losesByBlocks?: boolean
  /** The host is back after an outage, and the limit is 1: what was gathered is of another time. */
  restarted?(): void
}

/** For one lost round trip, as `aimd` cuts, which gives the reasons. */
export const lossRatio = 0.85

export function lossReason({ verdict }: Sample): string {
  if (verdict === 'timeout') return 'timed out'
  return verdict === 'refused' ? 'refused' : 'blocked'
}

/**
 * A limiter out of a rule. What politeness asks of every policy is here, so that no rule can forget it: errors teach
 * nothing and keep their permit as long as a good answer would have (`holdMs`); answers without a page (404) only show
 * that the host is there; after a cut, what was granted before it is not counted again; a host in an outage is left
 * alone and then probed by one request (outage.ts), and begins at 1.
 */
export function createAdaptive({ start, max }: AdaptiveOptions, rule: Rule, random: () => number): Limiter {
  const latency = newBaseline()
  const outage = newOutage()
  let limit = Math.min(start, max)
  let cutAtMs = Number.NEGATIVE_INFINITY

  function take(step: Step | null, nowMs: number): void {
    if (step === null) return
    const next = Math.min(max, Math.max(1, step.limit))
    if (Math.floor(next) !== Math.floor(limit)) limiter.reason = step.reason
    if (next < limit) cutAtMs = nowMs
    limit = next
  }

  function lose(sample: Sample): void {
    const isLate = sample.startedMs < cutAtMs
    take(isLate ? (rule.lostLate?.(sample) ?? null) : rule.lost(sample, limit), sample.nowMs)
  }

  function answered(sample: Sample): void {
    const { startedMs, firstByteMs, stalled, nowMs, blocked = false, pageless = false } = sample
    if (blocked) {
      if (rule.losesByBlocks === true) lose(sample)
      return
    }
    if (endOutage(outage, startedMs)) {
      take({ limit: 1, reason: 'the probe after the pause was answered' }, startedMs)
      forgetMean(latency)
      rule.restarted?.()
    }
    if (stalled || pageless) return
    if (firstByteMs !== null) learnLatency(latency, firstByteMs, memoryOf(limit))
    if (startedMs >= cutAtMs) take(rule.answered(sample, limit), nowMs)
  }

  function failed(sample: Sample): void {
    const before = Math.floor(limit)
    if (isLoss(sample)) lose(sample)
    const why = pauseIfBad(outage, sample, Math.floor(limit), random)
    if (why !== null) limiter.reason = Math.floor(limit) < before ? `${limiter.reason}: ${why}` : why
  }

  const limiter = {
    limit: Math.floor(limit),
    readyAtMs: 0,
    probing: false,
    holdMs: 0,
    enough: Number.POSITIVE_INFINITY,
    reason: 'start',
    observe(sample: Sample): void {
      if (sample.verdict === 'ignored') return
      if (sample.verdict === 'good') answered(sample)
      else failed(sample)
      limiter.limit = Math.floor(limit)
      limiter.readyAtMs = outage.readyAtMs
      limiter.probing = outage.probing
      limiter.holdMs = meanLatencyMs(latency)
    },
  }
  return limiter
}
