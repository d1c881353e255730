import type { Timing } from '../core/page.ts'
import type { AttemptTask, OtherAttempt } from '../warc/attempt.ts'

/** What a web archive holds, ready to be played back: an index in memory, and its answers in a file. */
export interface Recording extends AsyncDisposable {
  /** In the order in which their first attempts ended. */
  readonly chains: readonly Chain[]
  /** @param askedUrl as the seed or the link gave it */
  chainOf(askedUrl: string, session: string | null): Chain | null
  /** File of the answers, each with its head, as they are served. */
  readonly answers: string
  /** An answer as it is served. */
  read(attempt: PageAttempt): Promise<Uint8Array<ArrayBuffer>>
  /** What of the archive could not be read, in a sentence; null: nothing. */
  readonly damage: string | null
}

/** All attempts of one task, with the redirects that it followed. */
export interface Chain {
  readonly nth: number
  readonly task: AttemptTask
  readonly attempts: readonly RecordedAttempt[]
}

interface Recorded {
  /** Of all attempts: what is drawn by chance for it is drawn by this. */
  readonly nth: number
  readonly url: string
  /** Of the page rule by then; null: the archive does not say. */
  readonly page: string | null
  /** ISO wall time. */
  readonly at: string
  /** Null: the archive does not say. */
  readonly timing: Timing | null
  readonly tookMs: number
}

export interface PageAttempt extends Recorded {
  readonly kind: 'page'
  /** In the file of the answers. */
  readonly atByte: number
  readonly headBytes: number
  readonly bodyBytes: number
}

export interface BarrenAttempt extends Recorded {
  readonly kind: 'barren'
  readonly outcome: OtherAttempt
}

export type RecordedAttempt = PageAttempt | BarrenAttempt

export const lastPageOf = ({ attempts }: Chain): PageAttempt | null =>
  attempts.findLast((attempt): attempt is PageAttempt => attempt.kind === 'page') ?? null
