import type { Rate } from '../job/job.ts'

/**
 * A token bucket as one number, the time at which it is full again: GCRA, the "virtual scheduling" form of ITU-T
 * I.371. It holds `burst` tokens and gains one each 1/tokensPerSecond. There is nothing to refill, no rounding that
 * adds up, and nothing is saved beyond the burst however long nobody takes.
 */
export interface Bucket {
  fullAtMs: number
}

const tokenMs = (rate: Rate): number => 1000 / rate.tokensPerSecond

export const fullBucket = (): Bucket => ({ fullAtMs: 0 })

/**
 * When there is a token: at most now if there is one.
 * @param promised tokens that others will take, now or at any later time, whatever this one does. Infinity: they may
 * need all that the bucket ever holds
 */
export function tokenAtMs(bucket: Bucket, rate: Rate, promised = 0): number {
  const spare = rate.burst - 1 - promised
  return spare < 0 ? Number.POSITIVE_INFINITY : bucket.fullAtMs - spare * tokenMs(rate)
}

/** Takes one. The caller has seen that there is one. */
export function takeToken(bucket: Bucket, rate: Rate, nowMs: number): void {
  bucket.fullAtMs = Math.max(bucket.fullAtMs, nowMs) + tokenMs(rate)
}
