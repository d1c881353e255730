import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import type { ParseReply } from '../core/wire.ts'

/** A fate that ends a task. */
export type Ending = Exclude<Fate, { readonly kind: 'retry' | 'moved' }>

/**
 * How far a task came: `seed` is one that is never asked for. The same code may end either of the others: a type may be
 * refused by its header, or by what the bytes are.
 */
export type EndedIn = 'seed' | 'fetch' | 'parse'

/** What a page gave. */
export interface Yield {
  readonly status: number
  readonly reply: ParseReply & { readonly kind: 'parsed' }
}

/** Where what came of a URL goes: files, or whoever iterates over the run. */
export interface Outlet {
  /** What the parser is to give: output lines, or objects. */
  readonly want: 'bytes' | 'objects'
  /** The page of a task as it came, for an archive: kept with what the task ends with, or dropped where it goes on. */
  archive?(task: Task, record: Uint8Array): void
  /**
   * Takes what a task ended with, in the same synchronous step in which the frontier settled it, so that both are kept
   * together. Resolves when they are, and the reader has room: until then the page holds its slot.
   * @param page null for a task that ended without one
   * @throws SINK_FAILED
   * @throws STORE_FAILED
   */
  take(task: Task, ending: Ending, stage: EndedIn, page: Yield | null): Promise<void>
}
