import type { RegionTally } from './blame.ts'
import type { Exit } from './exit.ts'
import { latencyP95Ms, scoreOf } from './health.ts'

/** One way out as a report shows it. No credentials. */
export interface ProxyView {
  readonly proxy: string
  readonly region: string
  readonly uses: number
  readonly inFlight: number
  readonly failures: Readonly<Exit['failures']>
  /** Between 0 and 1: see `proxy/health.ts`. */
  readonly score: number
  /** Connecting and waiting for the first byte; null: nothing answered of late. */
  readonly latencyP95Ms: number | null
  readonly coolDowns: number
  /** Left alone now. */
  readonly isDown: boolean
  /** What hosts thought of its region, those asked most first: blocks over answers. */
  readonly blockRates: readonly { readonly host: string; readonly rate: number; readonly answers: number }[]
}

/** A report over a million hosts can still be read. */
const shownHosts = 20

const rounded = (value: number): number => Math.round(value * 1000) / 1000

export function proxyViewsOf(
  exits: readonly Exit[],
  tallies: readonly RegionTally[],
  budgetMs: number,
  nowMs: number,
): readonly ProxyView[] {
  const byRegion = Map.groupBy(tallies, ({ region }) => region)
  return exits.map(exit => ({
    proxy: exit.label,
    region: exit.region,
    uses: exit.uses,
    inFlight: exit.inFlight,
    failures: { ...exit.failures },
    score: rounded(scoreOf(exit.health, budgetMs, nowMs)),
    latencyP95Ms: latencyP95Ms(exit.health, nowMs),
    coolDowns: exit.coolDowns,
    isDown: exit.coolDown !== null,
    blockRates: (byRegion.get(exit.region) ?? []).slice(0, shownHosts).map(({ host, blocked, answers }) => ({
      host,
      rate: rounded(blocked / answers),
      answers,
    })),
  }))
}
