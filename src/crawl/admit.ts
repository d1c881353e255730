import type { Fault } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import { type HostKey, hostKey } from '../core/url.ts'
import type { PageSlot, Permit } from '../gate/permit.ts'
import type { ProxyLease } from '../proxy/lease.ts'
import type { House, SharedGrants } from './house.ts'
import type { AdmissionWaits } from './waits.ts'

export interface Admitted {
  readonly kind: 'admitted'
  readonly task: Task
  readonly grants: SharedGrants
  readonly permit: Permit
  readonly lease: ProxyLease
}

/** Its answer is at hand. */
export interface AtHand {
  readonly kind: 'at-hand'
  readonly task: Task
  readonly slot: PageSlot
}

export type Refusal = Fate & { readonly kind: 'skipped' | 'dead' }

export type Step =
  | Admitted
  | AtHand
  /** Its robots file says no, or cannot be read, or its host was given up: leased, and to be settled. */
  | { readonly kind: 'refused'; readonly task: Task; readonly grants: SharedGrants; readonly fate: Refusal }
  /** Infinity: something must come back first. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Many were turned away and there may be more: sockets and timers have a turn first. */
  | { readonly kind: 'turn' }
  | { readonly kind: 'done' }

type Gates = Pick<
  House,
  'clock' | 'frontier' | 'errands' | 'spending' | 'room' | 'shared' | 'hosts' | 'robots' | 'proxies'
>

/** Shared gates ask no host; this one stands for all. */
const anyHost = '' as HostKey

/** A lease that comes back wakes the loop and no single host: none waits for one longer than this without asking. */
const longestBlindMs = 500

/**
 * Tasks without a way that are looked at in one go. By the time that the last of very many was, the first are due again:
 * a loop over all of them might never end, and meanwhile nothing comes back that would open a way.
 */
const mostTurnedAway = 256

/**
 * The next due task whose host is ready, with all its grants. Synchronous from the question to the taking: nothing
 * can come between, so there are no waiters inside gates, no lost tokens and no cancelled queue places.
 */
export function admit(gates: Gates, waits: AdmissionWaits): Step {
  const { spending, frontier, errands, room, shared, hosts, robots, proxies } = gates
  const nowMs = gates.clock.nowMs()
  const atHand = takeAtHand(gates)
  if (atHand !== null) return atHand
  const sharedAtMs = Math.max(shared.readyAtMs(anyHost), proxies.readyAtMs(anyHost))
  if (sharedAtMs > nowMs) {
    waits.sharedClosed(sharedAtMs)
    return { kind: 'wait', untilMs: sharedAtMs }
  }
  const throughProxyMs = (host: HostKey): number => Math.min(proxies.readyAtMs(host), nowMs + longestBlindMs)
  const hostReadyMs = (host: HostKey): number =>
    Math.max(hosts.readyAtMs(host), room.readyAtMs(host), throughProxyMs(host))
  // A host that was given up, or has had its pages, needs no permit: its tasks come, and end.
  const taskReadyMs = (host: HostKey): number =>
    hosts.isGivenUp(host) || spending.isSpent(host)
      ? 0
      : waits.latest({
          hosts: hosts.readyAtMs(host),
          room: room.readyAtMs(host),
          proxies: throughProxyMs(host),
          robots: robots.readyAtMs(host),
          spending: spending.readyAtMs(host),
        })
  for (let turnedAway = 0; turnedAway < mostTurnedAway; turnedAway += 1) {
    const errand = errands.take(nowMs, hostReadyMs)
    if (errand !== null) {
      if (proxies.faultOf(errand) !== null) {
        abandon(gates, errand)
        continue
      }
      if (proxies.readyForMs(errand) <= nowMs) return withGrants(gates, errand)
      errands.add({ ...errand, notBeforeMs: wayOpensMs(gates, errand, nowMs) })
      continue
    }
    const next = frontier.take(taskReadyMs, waits)
    if (next.kind === 'wait') return { kind: 'wait', untilMs: Math.min(next.untilMs, errands.nextAtMs) }
    if (next.kind === 'done') return next
    const { task } = next
    const refusal = refusalOf(gates, task)
    if (refusal !== null) return refused(gates, task, refusal)
    const judgement = robots.judge(task)
    if (judgement === 'refused') return refused(gates, task, dead(robots.faultOf(task)) ?? byRobots)
    if (proxies.readyForMs(task) > nowMs) {
      // The exit of its session is busy, or its region down: others of its host may go meanwhile.
      const notBeforeMs = wayOpensMs(gates, task, nowMs)
      waits.note('proxy', notBeforeMs - nowMs)
      frontier.settle(task, { kind: 'retry', notBeforeMs, charge: 'none' })
      continue
    }
    if (judgement === 'allowed') return withGrants(gates, task)
    // The robots file comes first: it goes in this task's stead, and the task waits at the head of its host.
    frontier.putBack(task)
    return withGrants(gates, { ...robots.taskFor(task), geo: proxies.geoOf(task) })
  }
  return { kind: 'turn' }
}

/** Nothing is asked of any host: it needs room for a page, and no gate. */
function takeAtHand({ frontier, room }: Gates): AtHand | null {
  if (room.readyAtMs(anyHost) > 0) return null
  const task = frontier.takeAtHand()
  return task === null ? null : { kind: 'at-hand', task, slot: room.acquire(task.host) }
}

const wayOpensMs = ({ proxies }: Gates, task: Task, nowMs: number): number => {
  const atMs = proxies.readyForMs(task)
  return atMs === Number.POSITIVE_INFINITY ? nowMs + longestBlindMs : atMs
}

/** No way is left for it. The pages that waited for it have their end, or another way, and ask anew. */
function abandon({ robots, frontier }: Gates, errand: Task): void {
  robots.abandon(errand)
  frontier.wake(hostKey(new URL(errand.askedUrl)))
}

/** Slot before token, and the proxy last: what is scarcest is not held by one who cannot leave. */
function withGrants({ hosts, shared, proxies }: Gates, task: Task): Admitted {
  const permit = hosts.acquire(task.host)
  const grants = shared.acquire(task.host)
  return { kind: 'admitted', task, permit, grants, lease: proxies.acquire(task) }
}

const byRobots: Refusal = { kind: 'skipped', reason: 'robots' }
const byBudget: Refusal = { kind: 'skipped', reason: 'budget' }

const dead = (fault: Fault | null): Refusal | null => fault && { kind: 'dead', fault, status: null }

/** Whatever its robots file says. */
const refusalOf = ({ hosts, proxies, spending }: Gates, task: Task): Refusal | null =>
  spending.isSpent(task.host) ? byBudget : dead(hosts.givenUpFault(task) ?? proxies.faultOf(task))

/** The reason is that of this moment: by the time that it settles the next try may be due, and nothing be wrong. */
const refused = ({ shared }: Gates, task: Task, fate: Refusal): Step => ({
  kind: 'refused',
  task,
  grants: shared.acquire(task.host),
  fate,
})
