import type { Fate } from '../core/fate.ts'
import type { LedgerCounts } from '../core/ledger.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { Waits } from '../core/waits.ts'
import type { JsonValue } from '../core/wire.ts'
import type { Whereabouts } from './whereabouts.ts'

export type Next =
  /** Now leased: it must come back through `settle` or `putBack`. */
  | { readonly kind: 'task'; readonly task: Task }
  /** Infinity: only `wake`, `add`, `settle`, `putBack` or the end of a hold can change it. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is queued, nothing is leased, nobody holds the frontier open. */
  | { readonly kind: 'done' }

/** The one queue: order, fairness between hosts, dedupe, leases, and "done" from the ledger alone. */
export interface Frontier extends AsyncDisposable {
  /** Tasks whose id was never seen; how many those were. */
  add(tasks: readonly Task[]): number
  /** Adds a task that has ended already; false when its id is known. */
  bury(task: Task, fate: Fate & { readonly kind: 'dead' | 'skipped' }): boolean
  /** Queues what an earlier process left undone, before anything else; how many those were. */
  recover(): Promise<number>
  /** True when a task with this id was added before. */
  has(id: string): boolean
  /**
   * Where the URL of this key is, or where it led by redirects; of several sessions that of the task that is furthest on
   * its way. Looks at all tasks in memory: for people, not for each page.
   */
  find(key: string): Whereabouts
  /**
   * The next due task whose host is ready: of the one with the fewest tasks leased, so that hosts share what is scarce.
   * Synchronous, so that asking a gate and taking its grant cannot be split. Never scans all hosts: the cost is in the
   * hosts that changed. A host is asked again when the time has come that its gates named, or after `wake`; so
   * `readyAtMs` speaks of the host alone, and a gate that is the same for all hosts (requests in flight, page budget) is
   * asked before, else its being full would send every host to wait for a `wake` of its own.
   * @param waits told what the hosts of tasks waited for
   * @throws INVARIANT when the ledger and the queue disagree
   */
  take(readyAtMs: (host: HostKey) => number, waits?: Waits): Next
  /** The next due task whose answer is at hand: it asks nothing of its host, so no gate is asked for it. Null: none. */
  takeAtHand(): Task | null
  /**
   * Gives a leased task back to the head of its host, as if it had not been taken.
   * @throws INVARIANT unless it is the very task that `take` handed out
   */
  putBack(task: Task): void
  /**
   * What became of a leased task: ends its entry of the ledger, or queues it again with its own ledgers charged.
   * Returns the fate that really happened: a move to a URL that is known already becomes a skip. A move to the task's
   * own URL, or to one it came through, goes on; whether that is a loop is for the caller to say.
   * @throws INVARIANT unless it is the very task that `take` handed out
   */
  settle(task: Task, fate: Fate): Fate
  /** True for the very task that `take` handed out, until it comes back. */
  isLeased(task: Task): boolean
  /**
   * What a host waited for may have come (a grant, the end of a pause, its robots file): ask its gates again. False: nothing
   * of it is due, so nobody will.
   */
  wake(host: HostKey): boolean
  /**
   * Takes what happened since the last call (new tasks, fates), at once; the function it returns keeps that in the
   * store, together with where the outputs end by then and with rows of theirs that the store itself keeps.
   * @throws STORE_FAILED
   */
  seal(): (positions: JsonValue, rows?: readonly Uint8Array[]) => Promise<void>
  /** More may come (seeds are still being read): until disposed, `take` says `wait` where it would say `done`. */
  hold(): Disposable
  /** Holds that are out. */
  readonly open: number
  readonly counts: LedgerCounts
  /** Hosts with tasks that are due, tasks queued (due or not), tasks leased. */
  readonly size: { readonly hosts: number; readonly queued: number; readonly leased: number }
}
