import type { Standstill } from '../core/standstill.ts'

/** What a run has done so far. */
export interface Progress {
  readonly discovered: number
  /** Done, failed or skipped. */
  readonly ended: number
  readonly failed: number
  readonly pending: number
  readonly items: number
  readonly inFlight: number
  readonly parseQueue: number
  /** Why nothing leaves at all: no proxy is to be had. */
  readonly parked?: string
  /** Nothing has moved for a while: what that waits for. */
  readonly standstill?: Standstill
}
