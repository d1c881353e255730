import { type Clock, realClock } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { HostGate } from '../gate/host-gate.ts'
import { gatherUnderWay } from '../observe/under-way.ts'
import { createWatchdog, type Watchdog } from '../observe/watchdog.ts'
import type { Proxies } from '../proxy/lease.ts'

/** All that a run may wait for which has nothing under way. */
export interface Watched {
  readonly clock: Clock
  readonly events: Events
  readonly frontier: Pick<Frontier, 'size' | 'open'>
  readonly hosts: Pick<HostGate, 'views' | 'explain'>
  readonly proxies: Pick<Proxies, 'explain'>
}

function waitsOf({ frontier, hosts, proxies }: Watched, max: number): string[] {
  const parked = proxies.explain()
  return [
    ...(frontier.open > 0 && frontier.size.queued === 0 ? ['its seeds are still being read'] : []),
    ...(parked === null ? [] : [parked]),
    ...hosts
      .views()
      .slice(0, max)
      .map(({ host }) => `${host}: ${hosts.explain(host)}`),
  ].slice(0, max)
}

/**
 * A watchdog over one run; what it sees is told as `run.stood`. Null in simulated time: a timer that always runs would
 * hide a lost wake-up from it, which is what it is there to find.
 */
export function watchOver(watched: Watched): Watchdog | null {
  const { clock, events, frontier } = watched
  if (clock !== realClock) return null
  const underWay = gatherUnderWay(events.run, clock.nowMs)
  const watchdog = createWatchdog({
    clock,
    underWay,
    queued: () => frontier.size.queued,
    waits: max => waitsOf(watched, max),
    tell: standstill => events.emit('run.stood', () => standstill),
  })
  return {
    ...watchdog,
    [Symbol.dispose]() {
      watchdog[Symbol.dispose]()
      underWay[Symbol.dispose]()
    },
  }
}
