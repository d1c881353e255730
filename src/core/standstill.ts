/**
 * How far a URL came: being asked for, being read by a worker, or waiting for its end to be kept (and, where somebody
 * iterates over the run, to be read).
 */
export type Stage = 'fetch' | 'parse' | 'keep'

/** A URL that was begun and has not ended. */
export interface Outstanding {
  /** Without credentials. */
  readonly url: string
  readonly stage: Stage
  /** In this stage. */
  readonly ageMs: number
}

/** That nothing has moved for a while, and what that waits for. */
export interface Standstill {
  /** Since a URL last came a stage further, or anything was kept. */
  readonly quietMs: number
  /** URLs that were begun and have not ended. */
  readonly underWay: number
  /** Some of them, those first that have been in their stage longest. */
  readonly oldest: readonly Outstanding[]
  /** URLs that are not under way and have not ended. */
  readonly queued: number
  /** Where nothing is under way: what that waits for, in sentences. */
  readonly waits: readonly string[]
}
