import type { Clock } from '../core/clock.ts'
import type { SpentBudget } from '../core/fate.ts'
import type { HostKey } from '../core/url.ts'
import type { Budget } from '../scope/crawl-rules.ts'

/**
 * What one start of a run may spend. Pages under way count as spent until it is known that they are none, so no bound is
 * exceeded, but for bytes: how many those are is only known when they have come.
 */
export interface Spending extends Disposable {
  /** Something may start. */
  readonly hasRoom: boolean
  /** The bound that is spent: the run ends, and what is left stays to be done. Null: it goes on. */
  readonly spent: SpentBudget | null
  /** A host that has had its pages: its other URLs end without being asked for. */
  isSpent(host: HostKey): boolean
  /** Infinity while pages of a host are under way that may be its last. */
  readyAtMs(host: HostKey): number
  /** @param host null: the page is not of its account */
  start(host: HostKey | null): void
  /** True: the host's account changed, and it may be asked again. */
  end(host: HostKey | null, isPage: boolean): boolean
  took(bytes: number): void
}

interface HostSpending {
  done: number
  underWay: number
}

const orInfinity = (bound: number | null): number => bound ?? Number.POSITIVE_INFINITY

/** @param onTime told when the time is up */
export function createSpending(budget: Budget, clock: Clock, onTime: () => void): Spending {
  const mostPages = orInfinity(budget.pages)
  const mostBytes = orInfinity(budget.bytes)
  const mostPerHost = orInfinity(budget.perHost.pages)
  const hosts = new Map<HostKey, HostSpending>()
  let done = 0
  let underWay = 0
  let bytes = 0
  let isTimeUp = false
  const timer =
    budget.timeMs === null
      ? null
      : clock.after(budget.timeMs, () => {
          isTimeUp = true
          onTime()
        })

  function hostOf(host: HostKey | null): HostSpending | null {
    if (host === null || mostPerHost === Number.POSITIVE_INFINITY) return null
    const known = hosts.get(host) ?? { done: 0, underWay: 0 }
    hosts.set(host, known)
    return known
  }

  return {
    get hasRoom() {
      return done + underWay < mostPages
    },
    get spent() {
      if (isTimeUp) return 'time'
      if (done >= mostPages) return 'pages'
      return bytes >= mostBytes ? 'bytes' : null
    },
    isSpent: host => (hosts.get(host)?.done ?? 0) >= mostPerHost,
    readyAtMs(host) {
      const known = hosts.get(host)
      return known !== undefined && known.done + known.underWay >= mostPerHost ? Number.POSITIVE_INFINITY : 0
    },
    start(host) {
      underWay += 1
      const known = hostOf(host)
      if (known !== null) known.underWay += 1
    },
    end(host, isPage) {
      underWay -= 1
      const known = hostOf(host)
      if (known !== null) known.underWay -= 1
      if (isPage) done += 1
      if (isPage && known !== null) known.done += 1
      return known !== null
    },
    took(count) {
      bytes += count
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}
