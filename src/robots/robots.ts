import type { Fault } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'

/** What the robots file of a task's origin says of it. */
export type RobotsJudgement = 'allowed' | 'refused' | 'unknown'

/**
 * The rules of each origin, fetched once, before any page of it. When a task's origin is `unknown`, the robots file
 * is fetched in its stead, with its grants: through the same gates, in the same straight line.
 */
export interface Robots {
  judge(task: Task): RobotsJudgement
  /**
   * The task that fetches the robots file of `task`'s origin, which counts as being asked until `learn` returns null.
   * It is no URL of the job: no frontier has it and no ledger counts it.
   * @throws INVARIANT the origin is being asked already, which `readyAtMs` says
   */
  taskFor(task: Task): Task
  isRobotsTask(task: Task): boolean
  /** Infinity while a robots file of this host is being asked for: pages wait, robots tasks do not. */
  readyAtMs(host: HostKey): number
  /**
   * The end of a robots task. Returns the task to go on with, from its `notBeforeMs` and with grants of its own `host`:
   * a redirect, which may lead to another host, or a later try. Null: the origin is judged (or, after an abort, as
   * unknown as before), so its host can be woken.
   */
  learn(task: Task, outcome: Outcome, nowMs: number): Task | null
  /** A robots task that will not be asked for: its origin is as unknown as before, so its host can be woken. */
  abandon(task: Task): void
  /** Why the robots file of a refused task could not be read; null when it was read, and its rules refuse. */
  faultOf(task: Task): Fault | null
  /** Spacing that the files of this host ask of this agent, at most a minute; null when none does. */
  crawlDelayMs(host: HostKey): number | null
}
