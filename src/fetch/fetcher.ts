import type { CacheCounts } from '../cache/cache.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Route } from '../core/route.ts'
import type { Task } from '../core/task.ts'

export interface FetchRequest {
  readonly task: Task
  /** Null: direct. */
  readonly route: Route | null
  /** Told as the body arrives, so that the page budget follows what is really held. */
  readonly grow: (bytes: number) => void
  /** Told by the head of an answer how large its body will be, so that room is kept for it before it comes. */
  readonly expect?: (wholeBytes: number) => void
  /**
   * Asked each time the request could be written: true when it may be at once; false when its host was closed meanwhile
   * (a Retry-After, a pause), so that it is not written and ends as ABORTED; else it waits for either. On a host whose
   * departures are kept apart connections are then looked for ahead of time, and no time is lost to them. A fetcher that
   * does not ask writes what it was granted before, also within the pause.
   */
  readonly depart?: () => boolean | Promise<boolean>
  /**
   * Told when the request is written, and when it is written again: departures that are kept apart count from there. On
   * such a host a fetcher that never tells has one request under way at a time, and with a rate as many as its burst.
   */
  readonly sent?: () => void
}

/** One attempt, ended. Every expected ending is an `Outcome`; rejects only with INVARIANT. An abort is ABORTED. */
export type Fetcher = (request: FetchRequest, signal: AbortSignal) => Promise<Outcome>

/** Answers that a fetcher has from before. They ask nothing of any host, so that no gate needs to be passed for them. */
export interface Recall {
  /** Whether the answer to a task is at hand. Synchronous, by what is in memory: it may be wrong. */
  has(task: Task): boolean
  /** What a fetch would come to; null where there is no answer after all, and `has` says so from then on. */
  take(task: Task, grow: (bytes: number) => void): Promise<Outcome | null>
  /** What was stored for a task is no page: it is not to be used again. */
  forget(task: Task): void
  readonly counts: CacheCounts
}

export interface ClosableFetcher extends AsyncDisposable {
  /** Asks the host, with what is stored in mind: an answer that still holds need not be sent again. */
  readonly fetch: Fetcher
  readonly recall?: Recall
}
