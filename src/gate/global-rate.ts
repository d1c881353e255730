import type { Clock } from '../core/clock.ts'
import { type Gate, mustBeOpen } from '../core/gate.ts'
import type { Rate } from '../job/job.ts'
import { fullBucket, takeToken, tokenAtMs } from '../pace/bucket.ts'

/** A departure is over once it happened: there is nothing to give back. */
const departed: Disposable = { [Symbol.dispose]() {} }

/**
 * Departures over all hosts together: a line that is shared, or an agreement about one's own address. Asked after the
 * gates that bound what is under way, so that no token is spent by a request that has no place.
 * @param rate null: always open
 */
export function createGlobalRate(clock: Clock, rate: Rate | null): Gate<Disposable> {
  const bucket = fullBucket()
  const readyAtMs = (): number => (rate === null ? 0 : tokenAtMs(bucket, rate))
  return {
    readyAtMs,
    acquire(host) {
      const nowMs = clock.nowMs()
      mustBeOpen(readyAtMs(), nowMs, 'the rate over all hosts', host)
      if (rate !== null) takeToken(bucket, rate, nowMs)
      return departed
    },
  }
}
