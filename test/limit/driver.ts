import type { Limiter, Sample } from '../../src/limit/limiter.ts'

export type Answer = Pick<Sample, 'verdict' | 'firstByteMs' | 'retryAfterMs' | 'stalled' | 'blocked' | 'pageless'> & {
  /** Part of the limit that was in flight. */
  readonly load: number
}

export const good: Answer = { verdict: 'good', firstByteMs: 100, retryAfterMs: null, stalled: false, load: 1 }
export const refused: Answer = { ...good, verdict: 'refused', firstByteMs: 5 }
/** A 404, and a 403. */
export const gone: Answer = { ...good, firstByteMs: 2, pageless: true }
export const blocked: Answer = { ...gone, blocked: true }
export const timedOut: Answer = { ...good, verdict: 'timeout', firstByteMs: null }

/** Feeds a limiter with answers one after the other, each granted after the one before was told. */
export function createDriver(limiter: Limiter) {
  let nowMs = 1_000
  function feed({ load, ...reading }: Answer): void {
    const startedMs = Math.max(nowMs + 0.001, limiter.readyAtMs)
    const inFlight = Math.max(1, Math.round(limiter.limit * load))
    nowMs = startedMs + (reading.firstByteMs ?? 5_000)
    const firstByteMs = reading.verdict === 'timeout' ? null : reading.firstByteMs
    limiter.observe({ ...reading, firstByteMs, nowMs, startedMs, inFlight })
  }
  return {
    get nowMs() {
      return nowMs
    },
    feed(answer: Answer, times = 1): number {
      for (let n = 0; n < times; n += 1) feed(answer)
      return limiter.limit
    },
    feedAll(answers: readonly Answer[]): number {
      for (const answer of answers) feed(answer)
      return limiter.limit
    },
    pass(durationMs: number): void {
      nowMs += durationMs
    },
  }
}
