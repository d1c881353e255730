import type { Fate } from '../../core/fate.ts'
import type { Task } from '../../core/task.ts'
import type { JsonValue } from '../../core/wire.ts'

/** What happened since the last commit, to be kept as a whole or not at all. */
export interface StoreBatch {
  readonly fates: readonly { readonly task: Task; readonly fate: Fate }[]
  /** Tasks that `put` called new, brought by the pages of this batch. */
  readonly links: readonly Task[]
  /** Where each output ends with this batch in it. The number tells whether a commit whose answer was lost happened. */
  readonly output: { readonly sequence: number; readonly position: JsonValue }
}

/**
 * All that an author of a backend writes; order, turns and leases are the frontier's, above it. Which ids are known
 * is always in memory (a durable store reads them once on opening), so asking is synchronous and costs no disk.
 */
export interface TaskStore extends AsyncDisposable {
  /** Ids ever put. */
  readonly known: number
  has(id: string): boolean
  /** Claims the ids; those tasks whose id was new, in the order given. Putting a task twice claims it once. */
  put(tasks: readonly Task[]): readonly Task[]
  /** Tasks that an earlier process left undone, at most `max`, each handed out once; none left: an empty list. */
  load(max: number): Promise<readonly Task[]>
  /**
   * One transaction; it survives the process where the store does.
   * @throws STORE_FAILED
   * @throws LEASE_LOST before anything is applied, when another holder has one of the tasks by now
   */
  commit(batch: StoreBatch): Promise<void>
}
