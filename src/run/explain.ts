import type { Clock } from '../core/clock.ts'
import type { Gate } from '../core/gate.ts'
import type { Task } from '../core/task.ts'
import { type HostKey, hostKey, sendableUrl } from '../core/url.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { GlobalGate } from '../gate/global-gate.ts'
import type { HostGate } from '../gate/host-gate.ts'
import type { PageBudget } from '../gate/page-budget.ts'
import { seconds } from '../gate/why-waits.ts'
import type { Proxies } from '../proxy/lease.ts'
import type { Robots } from '../robots/robots.ts'
import type { Routes } from '../scope/routes.ts'

/** All that a URL of a run may wait for. */
export interface Waits {
  readonly clock: Clock
  readonly frontier: Pick<Frontier, 'knows' | 'waiting'>
  readonly routes: Pick<Routes, 'keyOf'>
  readonly hosts: Pick<HostGate, 'explain'>
  readonly robots: Pick<Robots, 'readyAtMs'>
  readonly place: GlobalGate
  readonly backlog: GlobalGate
  readonly slot: PageBudget
  readonly rate: Gate<Disposable>
  readonly proxies: Pick<Proxies, 'explain'>
}

/** What holds everybody back, whichever the host. */
function sharedReasons({ clock, place, backlog, slot, rate, proxies }: Waits, host: HostKey): readonly string[] {
  const proxiesText = proxies.explain()
  const tokenMs = rate.readyAtMs(host) - clock.nowMs()
  return [
    ...(place.readyAtMs(host) > 0
      ? [`all places of the run are taken (limits.inFlight), ${place.inFlight} in all`]
      : []),
    ...(backlog.readyAtMs(host) > 0 ? [`${backlog.inFlight} pages are asked for or wait for a thread`] : []),
    ...(slot.readyAtMs(host) > 0 ? [`${slot.pages} pages hold the memory there is (limits.pageBudgetBytes)`] : []),
    ...(tokenMs > 0 ? [`the rate over all hosts has its next token in ${Math.ceil(tokenMs)} ms`] : []),
    ...(proxiesText === null ? [] : [proxiesText]),
  ]
}

/** What keeps the URL itself, whatever its host does: "tried again in 12 s after CONNECT_FAILED". */
function ownReasons({ cause, notBeforeMs }: Task, nowMs: number): readonly string[] {
  // One that is due may not have left the heap yet.
  if (notBeforeMs <= nowMs) return []
  const status = typeof cause?.status === 'number' ? ` (status ${cause.status})` : ''
  return [`tried again in ${seconds(notBeforeMs - nowMs)}${cause === undefined ? '' : ` after ${cause.code}${status}`}`]
}

/**
 * Why a URL of a run waits, in one line: "a.test: limit 4, 4 in flight, paused 12 s: Retry-After of 30 s". It speaks of
 * the URL's own wait for its next attempt, whatever its session, of the host and of the run; whether the URL has ended
 * meanwhile is what the results say.
 */
export function explainUrl(waits: Waits, text: string): string {
  const url = sendableUrl(text)
  if (url === null) return `${text} is no URL that could be sent; accepted: an absolute http: or https: one`
  const key = waits.routes.keyOf(url)
  if (!waits.frontier.knows(key)) return `${text} is not known to this run`
  const nowMs = waits.clock.nowMs()
  const waiting = waits.frontier.waiting(key)
  const own = waiting === null ? [] : ownReasons(waiting, nowMs)
  // After a redirect it waits for another one.
  const host = waiting?.host ?? hostKey(url)
  const robots = waits.robots.readyAtMs(host) > nowMs ? ['its robots.txt is being asked for'] : []
  return `${host}: ${[...own, waits.hosts.explain(host), ...robots, ...sharedReasons(waits, host)].join('; ')}`
}
