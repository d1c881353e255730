import type { ErrorCode } from '../core/errors.ts'
import type { WaitCause } from '../core/waits.ts'

/** Sums over the pages of a run until now. */
export interface StageSums {
  /** What those who stood first in the line of their host waited for, all hosts added up. */
  readonly waitMs: Readonly<Record<WaitCause, number>>
  /** From hand-over to reply of the parser, and from a page's end until it was kept. */
  readonly parseMs: number
  readonly keepMs: number
}

/** What time went by with, since a run began. At every moment one of the phases holds, so that they add up. */
export interface TimeSpent extends StageSums {
  readonly phases: Readonly<Record<Phase, number>>
}

export type Phase =
  /** A request was under way. */
  | 'asking'
  /** None was, and a page was being read or kept. */
  | 'reading'
  /** Nothing was under way, until a URL was tried again whose last attempt had failed; */
  | 'backoff'
  /** whose host had asked to wait; */
  | 'askedToWait'
  /** or whose proxy had failed. */
  | 'otherProxy'
  /** Nothing was under way, for another reason: a gate was closed, or no URL was there. */
  | 'idle'

/** A moment at which a URL had its end. */
export interface Ending {
  readonly host: string
  /** Since the run began. */
  readonly atMs: number
  /** How many URLs had their end by then, this one among them. */
  readonly nth: number
  /** Until then, or until shortly before. */
  readonly spent: TimeSpent
}

export interface LastUrl {
  /** Without credentials. */
  readonly url: string
  readonly endedAtMs: number
  /** `done`, why it was skipped, or the code it died of. */
  readonly end: string
  readonly attempts: { readonly url: number; readonly proxy: number; readonly waits: number }
}

/** A request that came to its end, with or without an answer. */
export interface LastRequest {
  readonly url: string
  readonly endedAtMs: number
  /** For how long it was under way, and with what. */
  readonly heldMs: number
  readonly connectMs: number
  readonly firstByteMs: number
  readonly code: ErrorCode | null
}

/** How the URLs of a run came to their ends: enough of it to see what its last ones waited for. */
export interface RunEndings {
  readonly durationMs: number
  /** URLs that had their end, and those that had not when the run ended. */
  readonly ended: number
  readonly pending: number
  /** The latest of all, in order; and the latest of each host. */
  readonly last: readonly (Ending & LastUrl)[]
  readonly hosts: readonly Ending[]
  readonly requests: readonly LastRequest[]
  /** Over the whole run. */
  readonly spent: TimeSpent
}
