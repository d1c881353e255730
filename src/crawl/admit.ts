import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { Permit } from '../gate/permit.ts'
import type { House, SharedGrants } from './house.ts'

export interface Admitted {
  readonly kind: 'admitted'
  readonly task: Task
  readonly grants: SharedGrants
  readonly permit: Permit
}

export type Step =
  | Admitted
  /** Its robots file says no, or cannot be read, or its host was given up: leased, and to be settled. */
  | { readonly kind: 'refused'; readonly task: Task; readonly grants: SharedGrants }
  /** Infinity: something must come back first. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'done' }

type Gates = Pick<House, 'clock' | 'frontier' | 'errands' | 'shared' | 'hosts' | 'robots'>

/** Shared gates ask no host; this one stands for all. */
const anyHost = '' as HostKey

/**
 * The next due task whose host is ready, with all its grants. Synchronous from the question to the taking: nothing
 * can come between, so there are no waiters inside gates, no lost tokens and no cancelled queue places.
 */
export function admit(gates: Gates): Step {
  const { frontier, errands, shared, hosts, robots } = gates
  const nowMs = gates.clock.nowMs()
  const sharedAtMs = shared.readyAtMs(anyHost)
  if (sharedAtMs > nowMs) return { kind: 'wait', untilMs: sharedAtMs }
  const errand = errands.take(nowMs, hosts.readyAtMs)
  if (errand !== null) return withGrants(gates, errand)
  // A host that was given up needs no permit: its tasks come, and end.
  const next = frontier.take(host =>
    hosts.isGivenUp(host) ? 0 : Math.max(hosts.readyAtMs(host), robots.readyAtMs(host)),
  )
  if (next.kind === 'wait') return { kind: 'wait', untilMs: Math.min(next.untilMs, errands.nextAtMs) }
  if (next.kind === 'done') return next
  if (hosts.isGivenUp(next.task.host)) return refused(gates, next.task)
  const judgement = robots.judge(next.task)
  if (judgement === 'refused') return refused(gates, next.task)
  if (judgement === 'allowed') return withGrants(gates, next.task)
  // The robots file comes first: it goes in this task's stead, and the task waits at the head of its host.
  frontier.putBack(next.task)
  return withGrants(gates, robots.taskFor(next.task))
}

function withGrants({ hosts, shared }: Gates, task: Task): Admitted {
  const permit = hosts.acquire(task.host)
  return { kind: 'admitted', task, permit, grants: shared.acquire(task.host) }
}

const refused = ({ shared }: Gates, task: Task): Step => ({ kind: 'refused', task, grants: shared.acquire(task.host) })
