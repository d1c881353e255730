import type { Fault } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Route } from '../core/route.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { BlockSign } from '../core/wire.ts'
import { signOutcome } from './judge.ts'

/** How an attempt is to be read by everybody after the pool: the host's gate, the retry rule, the ledger. */
export interface Judgement {
  /** As it came, where the host answers for it. What a proxy or a region of them answers for is a fault of theirs. */
  readonly outcome: Outcome
  /** Another try costs the URL nothing: the attempt was a probe, or no proxy works at all. */
  readonly isFree: boolean
}

/** The right to send one attempt through a proxy. Disposing without settling teaches nothing. */
export interface ProxyLease extends Disposable {
  /** Null: directly. */
  readonly route: Route | null
  /** One-shot: the network part is over, and this is how it ended. */
  settle(outcome: Outcome): Judgement
  /** After `settle`, once the page was read: the page that seemed to have come was none. */
  unmask(outcome: Outcome, sign: BlockSign): Judgement
}

/** The proxies of a run as a gate: never waits, says when, and gives one lease. The last gate to be entered. */
export interface Proxies {
  /**
   * When any attempt could leave. At most now: open, or all were given up, so that tasks may come and end. Infinity: only
   * a returned lease can open it.
   */
  readyAtMs(host: HostKey): number
  /** The same for this one: its region, or the exit of its session, may be closed while others are open. */
  readyForMs(task: Task): number
  /** Where the task is to come out; null: anywhere. */
  geoOf(task: Task): string | null
  /** Why no proxy could ever take it, or those that could were given up; null: one could. */
  faultOf(task: Task): Fault | null
  /** Precondition: `readyForMs` is at most now. @throws INVARIANT otherwise */
  acquire(task: Task): ProxyLease
  /** What keeps attempts from leaving, in a few words; null: nothing does. */
  explain(): string | null
}

const direct = (task: Task): ProxyLease => ({
  route: null,
  settle: outcome => ({ outcome, isFree: false }),
  unmask: (outcome, { name }) => ({ outcome: signOutcome(task, name, outcome), isFree: false }),
  [Symbol.dispose]() {},
})

/** For jobs without proxies. */
export const directOnly: Proxies = {
  readyAtMs: () => 0,
  readyForMs: () => 0,
  faultOf: () => null,
  geoOf: task => task.geo,
  acquire: direct,
  explain: () => null,
}
