import type { Report } from '../observe/report.ts'
import type { LatencyKind } from '../replay/latency.ts'
import type { Half } from './replay-job.ts'

/** What a recording gave when it was played back. */
export interface ReplayFigures {
  readonly half: Half
  readonly latency: LatencyKind
  readonly seed: number
  readonly threads: number
  readonly recording: {
    readonly tasks: number
    readonly attempts: number
    readonly hosts: number
    /** What of the archive could not be read; null: nothing. */
    readonly damage: string | null
  }
  readonly pages: number
  readonly failed: number
  /** Requests for which the recording had nothing. */
  readonly missing: number
  readonly items: number
  /** Of all item lines in their order: replays that gave the same items have the same. */
  readonly sha256: string
  readonly durationMs: number
  readonly pagesPerSecond: number
  readonly megabytesPerSecond: number
  /** Of one page: the main thread, and all other threads of the process. */
  readonly cpuMs: { readonly main: number; readonly workers: number }
  readonly loopDelayMs: Report['loopDelayMs']
  /** The most memory that the process had at any time. */
  readonly rssMb: number
  /** The built-in server: the most requests that it had at once, and its CPU for one; null: there was none. */
  readonly server: { readonly peak: number; readonly cpuMs: number } | null
  readonly bottleneck: Report['bottleneck']
}
