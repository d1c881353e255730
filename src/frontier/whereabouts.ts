import { keyOfId, type Task } from '../core/task.ts'

/** Where a URL is on its way through a run. */
export type Whereabouts =
  /** It was never added. */
  | { readonly kind: 'unknown' }
  /** Handed out. */
  | { readonly kind: 'leased'; readonly task: Task }
  /** Due, and asks nothing of its host. */
  | { readonly kind: 'at-hand'; readonly task: Task }
  /** Due, in the line of its host. */
  | { readonly kind: 'due'; readonly task: Task }
  /** Its time has not come. */
  | { readonly kind: 'later'; readonly task: Task }
  /** Not in memory: it has ended, or is one of so many that only the store has. */
  | { readonly kind: 'elsewhere'; readonly shelved: number }

/** Whether a task is at the URL of a key, or was redirected from there; whatever its session. */
export const isAt =
  (key: string): ((task: Task) => boolean) =>
  ({ id, hops, session }) =>
    keyOfId(id, session) === key || hops.some(hop => keyOfId(hop, session) === key)

/** Of those that pass the one whose time comes first. */
export function soonestOf(tasks: Iterable<Task>, passes: (task: Task) => boolean): Task | null {
  let soonest: Task | null = null
  for (const task of tasks)
    if ((soonest === null || task.notBeforeMs < soonest.notBeforeMs) && passes(task)) soonest = task
  return soonest
}
