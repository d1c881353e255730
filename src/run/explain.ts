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
  readonly frontier: Pick<Frontier, 'find'>
  readonly routes: Pick<Routes, 'keyOf'>
  readonly hosts: Pick<HostGate, 'explain'>
  readonly robots: Pick<Robots, 'readyAtMs'>
  readonly place: Pick<GlobalGate, 'readyAtMs' | 'inFlight'>
  readonly backlog: Pick<GlobalGate, 'readyAtMs' | 'inFlight'>
  readonly slot: Pick<PageBudget, 'readyAtMs' | 'pages'>
  readonly rate: Pick<Gate<Disposable>, 'readyAtMs'>
  readonly proxies: Pick<Proxies, 'explain'>
}

/** What pages wait for that ask nothing of anybody, too. */
const roomReasons = ({ backlog, slot }: Waits, host: HostKey): readonly string[] => [
  ...(backlog.readyAtMs(host) > 0 ? [`${backlog.inFlight} pages are asked for or wait for a thread`] : []),
  ...(slot.readyAtMs(host) > 0 ? [`${slot.pages} pages hold the memory there is (limits.pageBudgetBytes)`] : []),
]

/** What holds everybody back, whichever the host. */
function sharedReasons(waits: Waits, host: HostKey): readonly string[] {
  const { clock, place, rate, proxies } = waits
  const proxiesText = proxies.explain()
  const tokenMs = rate.readyAtMs(host) - clock.nowMs()
  return [
    ...(place.readyAtMs(host) > 0
      ? [`all places of the run are taken (limits.inFlight), ${place.inFlight} in all`]
      : []),
    ...roomReasons(waits, host),
    ...(tokenMs > 0 ? [`the rate over all hosts has its next token in ${Math.ceil(tokenMs)} ms`] : []),
    ...(proxiesText === null ? [] : [proxiesText]),
  ]
}

/** What the host of a URL waits for, and everybody. */
function hostReasons(waits: Waits, host: HostKey): readonly string[] {
  const robots = waits.robots.readyAtMs(host) > waits.clock.nowMs() ? ['its robots.txt is being asked for'] : []
  return [waits.hosts.explain(host), ...robots, ...sharedReasons(waits, host)]
}

/** What keeps the URL itself, whatever its host does: "tried again in 12 s after CONNECT_FAILED". */
function ownReason({ attempts: { url, proxy, waits }, cause, notBeforeMs }: Task, nowMs: number): string {
  const waitText = seconds(notBeforeMs - nowMs)
  // What was never tried is put off by nothing else.
  if (url + proxy + waits === 0 && cause === undefined) return `no proxy that may take it is free for ${waitText}`
  const status = typeof cause?.status === 'number' ? ` (status ${cause.status})` : ''
  return `tried again in ${waitText}${cause === undefined ? '' : ` after ${cause.code}${status}`}`
}

const line = (host: HostKey, reasons: readonly string[]): string => `${host}: ${reasons.join('; ')}`

/**
 * Why a URL of a run waits, in one line: "a.test: limit 4, 4 in flight, paused 12 s: Retry-After of 30 s". It speaks of
 * the URL's own wait for its next attempt, whatever its session, of the host and of the run; of one that does not wait it
 * says so.
 */
export function explainUrl(waits: Waits, text: string): string {
  const url = sendableUrl(text)
  if (url === null) return `${text} is no URL that could be sent; accepted: an absolute http: or https: one`
  const found = waits.frontier.find(waits.routes.keyOf(url))
  switch (found.kind) {
    case 'unknown':
      return `${text} is not known to this run`
    case 'leased':
      return line(found.task.host, ['under way'])
    case 'at-hand':
      return line(found.task.host, ['its answer is at hand', ...roomReasons(waits, found.task.host)])
    case 'due':
      return line(found.task.host, hostReasons(waits, found.task.host))
    case 'later':
      return line(found.task.host, [ownReason(found.task, waits.clock.nowMs()), ...hostReasons(waits, found.task.host)])
    case 'elsewhere': {
      const host = hostKey(url)
      return found.shelved === 0
        ? `${text} has ended: the results say how`
        : line(host, [
            `has ended, or is one of ${found.shelved} URLs that wait on disk for their turn`,
            ...hostReasons(waits, host),
          ])
    }
    default:
      return found satisfies never
  }
}
