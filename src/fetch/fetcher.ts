import type { Outcome } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'

export interface FetchRequest {
  readonly task: Task
  /** Null: direct. */
  readonly proxy: string | null
  /** Told as the body arrives, so that the page budget follows what is really held. */
  readonly grow: (bytes: number) => void
}

/** One attempt, ended. Every expected ending is an `Outcome`; rejects only with INVARIANT. An abort is ABORTED. */
export type Fetcher = (request: FetchRequest, signal: AbortSignal) => Promise<Outcome>

export interface ClosableFetcher extends AsyncDisposable {
  readonly fetch: Fetcher
}
