import type { Fault } from './errors.ts'
import type { AttemptCause, Task } from './task.ts'

/** Why a URL was left alone on purpose. */
export type SkipReason =
  | 'robots'
  | 'out-of-scope'
  | 'redirected-to-known'
  /** Its host has had all the pages that the job allows it. */
  | 'budget'
  /** One of an endless row of URLs. */
  | 'trap'
  /** Its page asks not to be kept (`noindex`). */
  | 'noindex'
  /** Its page is another one's, by its own word (`rel=canonical`). */
  | 'canonical'
  /** Its page has the text of one that was read before. */
  | 'same-content'

/** Which bound of `budget` ended a run. */
export type SpentBudget = 'pages' | 'time' | 'bytes'

/** What becomes of a task after an attempt. */
export type Fate =
  | { readonly kind: 'done' }
  /**
   * `charge` names the ledger that pays; `none` when the run was stopped, which costs nothing, and `thread` when a thread
   * died with its page, which may be no fault of it. `cause` is for whoever wants to know, and left out where no attempt
   * was made.
   */
  | {
      readonly kind: 'retry'
      readonly notBeforeMs: number
      readonly charge: 'url' | 'proxy' | 'wait' | 'thread' | 'none'
      readonly cause?: AttemptCause
    }
  /** Goes on as `to`, the same entry of the ledger at another URL. */
  | { readonly kind: 'moved'; readonly to: Task }
  /** `replay`: the command that reads the page again, where it was set aside. */
  | { readonly kind: 'dead'; readonly fault: Fault; readonly status: number | null; readonly replay?: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
