import type { HostKey } from '../core/url.ts'
import type { HostLane } from './lane.ts'
import { answersOf, createLaneStats, type LaneStats } from './lane-stats.ts'

/** What the lanes of each host have seen. Outlives the lanes, but not for every host: a crawl of many has a report, too. */
export interface LaneRecords extends Iterable<readonly [HostKey, LaneStats]> {
  of(lane: HostLane): LaneStats
  /** Lanes were swept: of the hosts that have none those with the most answers are kept. */
  forgetSwept(lanes: ReadonlyMap<HostKey, HostLane>): void
  /** Records that were forgotten. A host that came back after that has a new one. */
  readonly dropped: number
}

/** Of swept hosts: a crawl of 100,000 hosts has a report that can be read. */
const keptStats = 1_000

export function createLaneRecords(): LaneRecords {
  const statsByHost = new Map<HostKey, LaneStats>()
  let dropped = 0
  return {
    of({ host, limiter }) {
      const known = statsByHost.get(host)
      if (known !== undefined) return known
      const stats = createLaneStats(limiter.limit)
      statsByHost.set(host, stats)
      return stats
    },
    // Twice as many as are kept may gather, so that sorting them is rare.
    forgetSwept(lanes) {
      if (statsByHost.size - lanes.size <= 2 * keptStats) return
      const swept = [...statsByHost].filter(([host]) => !lanes.has(host))
      const fewestFirst = swept.sort(([, a], [, b]) => answersOf(a) - answersOf(b))
      for (const [host] of fewestFirst.slice(0, -keptStats)) {
        statsByHost.delete(host)
        dropped += 1
      }
    },
    get dropped() {
      return dropped
    },
    [Symbol.iterator]: () => statsByHost.entries(),
  }
}
