import type { Env } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import { allOf, type Gate } from '../core/gate.ts'
import type { HostKey } from '../core/url.ts'
import type { SharedGrants } from '../crawl/house.ts'
import type { Resolver } from '../fetch/resolver.ts'
import { createGlobalGate, type GlobalGate } from '../gate/global-gate.ts'
import { createGlobalRate } from '../gate/global-rate.ts'
import { createHostGate, type HostGate } from '../gate/host-gate.ts'
import { createPageBudget, type PageBudget } from '../gate/page-budget.ts'
import { hostPolicyOf } from '../job/host-policy.ts'
import type { Job } from '../job/job.ts'
import { mostTogether } from '../parse/batch.ts'
import { createHostBounds } from './host-bounds.ts'
import type { Environment } from './proxy-list.ts'
import { openRunProxies, type RunProxies } from './run-proxies.ts'

export interface RunGatesOptions {
  readonly env: Env
  readonly events: Events
  readonly resolver: Resolver
  readonly environment: Environment
  /** That parse. */
  readonly threads: number
  /** A grant that any host may have wanted came back. */
  readonly wakeAll: () => void
  /** The gates of this host may say something else now. False: nothing of it is due. */
  readonly wake: (host: HostKey) => boolean
}

/** Everything that says how much of a run may leave, and when. */
export interface RunGates extends Disposable {
  readonly hosts: HostGate
  readonly place: GlobalGate
  /** Pages from the moment they are asked for until they are read. */
  readonly backlog: GlobalGate
  readonly slot: PageBudget
  readonly rate: Gate<Disposable>
  /** Those that are the same for every host, as one. */
  readonly shared: Gate<SharedGrants>
  readonly proxies: RunProxies
}

/** A lane that has had nothing to do for this long is forgotten, and with it what was learnt of the host. */
const idleLaneMs = 300_000
/**
 * The least that is reserved for a page. The default budget is shared between hosts: with four times as much, each of twenty
 * would have 48 requests in flight at most, whatever its pages weigh.
 */
export const reserveBytes = 16_384

/**
 * How many pages a thread may have, those that it reads and those that wait for it, before any more of them take the place
 * of requests: twice as many as go to it together. Where threads bind, the pages that would fill the page budget, and wait
 * there for seconds, are left with their hosts; where answers bind hardly any waits, and as many requests as
 * `limits.inFlight` allows are under way. Threads are never without work for it: the fewer pages wait, the more are on
 * their way.
 */
const pagesPerThread = 2 * mostTogether

/** @throws CONFIG_INVALID the list of proxies cannot be read */
export async function openRunGates(job: Job, options: RunGatesOptions): Promise<RunGates> {
  const { env, events, resolver, environment, threads, wakeAll, wake } = options
  const { clock } = env
  const { limits, retries } = job
  const proxies = await openRunProxies(job, { env, events, environment, onReturned: wakeAll })
  const groups = createHostBounds({ clock, limits, resolver, wake })
  const hosts = createHostGate({
    env,
    events,
    onReturned: wake,
    ...(groups !== undefined && { groups }),
    idleAfterMs: idleLaneMs,
    policyOf: host => hostPolicyOf(job, host),
    retries,
  })
  const place = createGlobalGate({ max: limits.inFlight, onReturned: wakeAll })
  const backlog = createGlobalGate({
    max: limits.inFlight + pagesPerThread * Math.max(1, threads),
    onReturned: wakeAll,
  })
  const slot = createPageBudget({
    totalBytes: limits.pageBudgetBytes,
    reserveBytes,
    mostBytes: limits.bodyBytes,
    onReturned: wake,
  })
  const rate = createGlobalRate(clock, limits.globalRate)
  const shared = allOf({ place, backlog, slot, rate })
  return { hosts, place, backlog, slot, rate, shared, proxies, [Symbol.dispose]: () => hosts[Symbol.dispose]() }
}
