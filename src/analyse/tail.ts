import type { WaitCause } from '../core/waits.ts'
import type { LastUrl, Phase } from './run-endings.ts'

/** The last part of a run, in which a few URLs were left while all others had their end: see `tail-of.ts`. */
export interface Tail {
  /** When it began, since the run did. */
  readonly sinceMs: number
  readonly durationMs: number
  /** What it took beyond what its URLs would have taken at the pace of the others; and as a part of the run. */
  readonly lostMs: number
  readonly lostShare: number
  /** That were left, of all: they ended in it, or had not ended when the run did. */
  readonly urls: number
  readonly ofUrls: number
  /** How many hosts URLs ended of, and some of them, the last first. */
  readonly hostCount: number
  readonly hosts: readonly string[]
  /** What was waited for most, and in which part of it. */
  readonly cause: TailCause
  readonly causeShare: number
  /** How long its latest requests were under way, on average; null: there were none. */
  readonly requestMs: number | null
  /** Parts of it: they add up to 1. */
  readonly phases: Readonly<Record<Phase, number>>
  /** Parts of it in which a URL could not go, by what it waited for. */
  readonly waitedFor: Readonly<Partial<Record<WaitCause, number>>>
  /** Some of its URLs, the last first. */
  readonly last: readonly LastUrl[]
  /** Null where it is no sizeable part of the run. */
  readonly sentence: string | null
}

export type TailCause =
  | WaitCause
  | Exclude<Phase, 'asking' | 'reading'>
  /** Parts of a request under way, and what comes after it. */
  | 'connect'
  | 'firstByte'
  | 'body'
  | 'parsing'
  | 'keeping'
