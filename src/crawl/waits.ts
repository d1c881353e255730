import type { HostKey } from '../core/url.ts'
import type { WaitCause, Waits } from '../core/waits.ts'
import type { House } from './house.ts'

/** When each of the gates of a host would let it go. */
export interface GateTimes {
  readonly hosts: number
  readonly room: number
  readonly proxies: number
  readonly robots: number
  readonly spending: number
}

export interface AdmissionWaits extends Waits {
  /** When all gates of the host that is being asked are open; the one that opens last is remembered. */
  latest(times: GateTimes): number
  /** A gate that all hosts share is closed, until this time. */
  sharedClosed(untilMs: number): void
}

/** Shorter ones are the time between two lines of code. */
const leastMs = 0.05

const anyHost = '' as HostKey

/** Tells what tasks wait for, as events. Asked for a cause only where a host was found closed. */
export function createWaits({
  clock,
  events,
  room,
  backlog,
  hosts,
  proxies,
}: Pick<House, 'clock' | 'events' | 'room' | 'backlog' | 'hosts' | 'proxies'>): AdmissionWaits {
  let last: keyof GateTimes = 'hosts'
  let sharedCause: WaitCause = 'turn'
  let closedUntilMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  return {
    latest(times) {
      const atMs = Math.max(times.hosts, times.room, times.proxies, times.robots, times.spending)
      if (times.robots === atMs) last = 'robots'
      else if (times.hosts === atMs) last = 'hosts'
      else if (times.room === atMs) last = 'room'
      else last = times.proxies === atMs ? 'proxies' : 'spending'
      return atMs
    },
    causeOf(host) {
      if (last === 'hosts') return hosts.causeOf(host)
      if (last === 'robots') return 'robots'
      if (last === 'room') return 'pageBudget'
      return last === 'proxies' ? 'proxy' : 'turn'
    },
    sharedClosed(untilMs) {
      if (room.readyAtMs(anyHost) === Number.POSITIVE_INFINITY) sharedCause = 'pageBudget'
      else if (backlog.readyAtMs(anyHost) === Number.POSITIVE_INFINITY) sharedCause = 'parse'
      else if (proxies.readyAtMs(anyHost) === untilMs) sharedCause = 'proxy'
      else sharedCause = untilMs === Number.POSITIVE_INFINITY ? 'inFlight' : 'rate'
      isClosed = untilMs === Number.POSITIVE_INFINITY
      if (!isClosed) closedUntilMs = untilMs
    },
    sharedSince(sinceMs) {
      // What only a returned grant opens has opened now, or no host would be asked.
      if (isClosed) closedUntilMs = clock.nowMs()
      isClosed = false
      return closedUntilMs > sinceMs ? sharedCause : 'turn'
    },
    note(cause, waitedMs) {
      if (waitedMs >= leastMs) events.emit('task.waited', () => ({ cause, waitedMs }))
    },
  }
}
