import type { Fate } from '../../core/fate.ts'
import type { Task } from '../../core/task.ts'
import type { HostKey } from '../../core/url.ts'
import type { JsonValue } from '../../core/wire.ts'

/** What happened since the last commit, to be kept as a whole or not at all. */
export interface StoreBatch {
  readonly fates: readonly { readonly task: Task; readonly fate: Fate }[]
  /** Tasks that `put` called new, brought by the pages of this batch. */
  readonly links: readonly Task[]
  /** Where each output ends with this batch in it. The number tells whether a commit whose answer was lost happened. */
  readonly output: {
    readonly sequence: number
    readonly position: JsonValue
    /** Lines of JSON, one object each, for the table that the store was opened with. */
    readonly rows?: readonly Uint8Array[]
  }
}

/** How many undone tasks of one host are wanted. */
export interface Wanted {
  readonly host: HostKey
  readonly max: number
}

/** What a store can do that finds the undone tasks of one host: the frontier then holds a window of each host only. */
export interface Shelf {
  /** Hosts with tasks that an earlier process left undone, and how many each. */
  left(): Promise<ReadonlyMap<HostKey, number>>
  /**
   * Undone tasks of each host as of the commits that were asked for before this call: those of a higher priority first,
   * then the older ones.
   * @throws STORE_FAILED
   */
  first(wanted: readonly Wanted[]): Promise<readonly Task[]>
}

/**
 * All that an author of a backend writes; order, turns and leases are the frontier's, above it. Which ids are known
 * is always in memory (a durable store reads them once on opening), so asking is synchronous and costs no disk.
 */
export interface TaskStore extends AsyncDisposable {
  /** Ids ever put. */
  readonly known: number
  has(id: string): boolean
  /** True when a task at the URL of this key was ever put, whatever its session. */
  hasKey(key: string): boolean
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
  /** Absent where a store does not hold what it was given: the frontier then holds every task in memory. */
  readonly shelf?: Shelf
}
