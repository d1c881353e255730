import type { Reading } from '../core/outcome.ts'

/** One answer as a policy is told of it. All times on `Clock`. */
export interface Sample extends Reading {
  /** When it is told. */
  readonly nowMs: number
  /** When the permit was granted. */
  readonly startedMs: number
  /** On this host when granted, this one included. */
  readonly inFlight: number
}

/**
 * How many requests a host may have in flight: a plain object without a clock, a queue or a thread. Gates read
 * `limit` and `readyAtMs` when asked; a limiter announces nothing.
 */
export interface Limiter {
  /** An integer, at least 1. */
  readonly limit: number
  /** Before this time the policy wants no request at all (a pause); 0 when it wants none of that. */
  readonly readyAtMs: number
  /**
   * A pause has ended and its one probe is not answered yet: until then at most one request granted after the pause
   * may be in flight. The gate counts; the policy only says so.
   */
  readonly probing: boolean
  /**
   * How long after its grant a permit is kept at least when its answer was `refused` or `error`, or a 403. Bad answers are
   * often faster than good ones; a permit that came back sooner would turn a failing host into a faster one.
   * 0 while no page has come, but for a policy without pauses after bad answers.
   */
  readonly holdMs: number
  /**
   * So many in flight keep the host busy, and more stand in its queue: for choosing between hosts where places are few.
   * Infinity while that is not known.
   */
  readonly enough: number
  observe(sample: Sample): void
  /** Why the limit or the pause last changed, in a few words for the report. */
  readonly reason: string
}

/**
 * What cuts: a "no" of the host, whenever it comes, and its silence, unless our own loop was blocked meanwhile, since then
 * it may have been ours. A row of such silences makes a pause all the same.
 */
export const isLoss = ({ verdict, stalled }: Sample): boolean =>
  verdict === 'refused' || (verdict === 'timeout' && !stalled)

/** `random` in [0, 1). */
export type LimiterFactory<Options> = (options: Options, random: () => number) => Limiter
