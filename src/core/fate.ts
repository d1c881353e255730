import type { Fault } from './errors.ts'
import type { Task } from './task.ts'

/** Why a URL was left alone on purpose. */
export type SkipReason = 'robots' | 'out-of-scope' | 'redirected-to-known' | 'budget'

/** What becomes of a task after an attempt. */
export type Fate =
  | { readonly kind: 'done' }
  /** `charge` names the ledger that pays; `none` when the run was stopped, which costs nothing. */
  | { readonly kind: 'retry'; readonly notBeforeMs: number; readonly charge: 'url' | 'proxy' | 'wait' | 'none' }
  /** Goes on as `to`, the same entry of the ledger at another URL. */
  | { readonly kind: 'moved'; readonly to: Task }
  /** `replay`: the command that reads the page again, where it was set aside. */
  | { readonly kind: 'dead'; readonly fault: Fault; readonly status: number | null; readonly replay?: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
