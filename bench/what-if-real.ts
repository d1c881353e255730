import { setTimeout as sleep } from 'node:timers/promises'
import { bottleneckOf } from '../src/analyse/bottleneck.ts'
import type { RunProfile } from '../src/analyse/run-profile.ts'
import { type Change, predict } from '../src/analyse/what-if.ts'
import { watchForeignCores } from '../src/run/capacity.ts'
import { runChild, startChild } from './child.ts'
import { median } from './machine.ts'
import { startModelServers } from './model-server.ts'

/** A run with real sockets, pages and threads. */
export interface RealSetting {
  readonly base: string
  readonly pages: number
  readonly threads: number
  readonly inFlight: number
  /** Left out: as many as `inFlight`. */
  readonly perHost?: { readonly policy: 'fixed' | 'aimd'; readonly max: number }
  readonly ratePerSecond?: number
  /** A module makes so many trees of each page; left out: a schema is read from it. */
  readonly treesEach?: number
  /** What the reader waits, and what it works, over each item. */
  readonly reader?: { readonly waitMs?: number; readonly busyMs?: number }
  /** What the output takes over each item of a write. */
  readonly sinkMs?: number
  /** One request each. */
  readonly proxies?: readonly string[]
}

/** One prediction that was made come true; medians over the rounds. */
export interface RealTrial {
  readonly what: string
  readonly verdict: string
  readonly now: number
  readonly predicted: number
  readonly came: number
  /** Of what came. */
  readonly error: number
  /** Nobody else used the machine before it and after it; else what came says nothing of the prediction. */
  readonly isJudged: boolean
}

interface Plan {
  readonly what: string
  readonly setting: RealSetting
  readonly change: Change
  /** The same change, as a setting. */
  readonly changed: Partial<RealSetting>
}

interface Places {
  /** Real pages, 20 ms each. */
  readonly pages: string
  /** A host of 4 workers with a queue of 4. */
  readonly small: string
  /** Four of them, 100 ms a page. */
  readonly proxies: readonly string[]
}

/** A few seconds each, of which starting is a tenth. */
function plansFor({ pages: base, small, proxies }: Places): readonly Plan[] {
  const quick = { base, threads: 2, inFlight: 16 } as const
  const heavy = { base, threads: 1, inFlight: 32, treesEach: 1 } as const
  return [
    {
      what: 'parse-heavy, a thread more',
      setting: { ...heavy, pages: 180 },
      change: { threads: 2 },
      changed: { threads: 2 },
    },
    {
      what: 'parse-heavy, a thread less',
      setting: { ...heavy, pages: 220, threads: 2 },
      change: { threads: 1 },
      changed: { threads: 1 },
    },
    {
      what: 'parse-heavy, an engine of half the cost',
      setting: { ...heavy, pages: 120, treesEach: 2 },
      change: { parseCost: 0.5 },
      changed: { treesEach: 1 },
    },
    {
      what: 'low bound, twice the concurrency',
      setting: { ...quick, pages: 150, inFlight: 1 },
      change: { concurrency: 2 },
      changed: { inFlight: 2 },
    },
    {
      what: 'slow host, twice the concurrency',
      setting: { ...quick, pages: 250, perHost: { policy: 'fixed', max: 2 } },
      change: { concurrency: 2 },
      changed: { inFlight: 32, perHost: { policy: 'fixed', max: 4 } },
    },
    {
      what: 'slow reader, twice the concurrency',
      setting: { ...quick, pages: 200, reader: { waitMs: 15 } },
      change: { concurrency: 2 },
      changed: { inFlight: 32 },
    },
    {
      what: 'busy sink, twice the concurrency',
      setting: { ...quick, pages: 300, sinkMs: 15 },
      change: { concurrency: 2 },
      changed: { inFlight: 32 },
    },
    {
      what: 'main-thread-bound, a thread less',
      setting: { ...quick, pages: 250, reader: { busyMs: 12 } },
      change: { threads: 1 },
      changed: { threads: 1 },
    },
    {
      what: 'rate-limited, twice the concurrency',
      setting: { ...quick, pages: 120, ratePerSecond: 40 },
      change: { concurrency: 2 },
      changed: { inFlight: 32 },
    },
    {
      what: 'slow proxies, twice as many',
      setting: { ...quick, base: 'http://pages.test', pages: 80, proxies: proxies.slice(0, 2) },
      change: { proxies: 2 },
      changed: { proxies },
    },
    {
      what: 'mixed: hosts and threads, twice the concurrency',
      setting: { ...heavy, pages: 150, perHost: { policy: 'fixed', max: 1 } },
      change: { concurrency: 2 },
      changed: { inFlight: 64, perHost: { policy: 'fixed', max: 2 } },
    },
    {
      what: 'a host at its end, twice the concurrency',
      setting: { ...quick, base: small, pages: 250, inFlight: 64, perHost: { policy: 'aimd', max: 32 } },
      change: { concurrency: 2 },
      changed: { inFlight: 128, perHost: { policy: 'aimd', max: 64 } },
    },
  ]
}

const round = (value: number): number => Math.round(value * 10) / 10
const perSecond = ({ pages, durationMs }: RunProfile): number => (pages * 1_000) / durationMs
const measure = (setting: RealSetting): Promise<RunProfile> =>
  runChild<RunProfile>('what-if-run.ts', [JSON.stringify(setting)])

/** Both runs in turn, so that what changes about the machine changes for both. */
async function trialOf({ what, setting, change, changed }: Plan, rounds: number): Promise<Omit<RealTrial, 'isJudged'>> {
  const before: RunProfile[] = []
  const after: RunProfile[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    before.push(await measure(setting))
    after.push(await measure({ ...setting, ...changed }))
  }
  const predicted = median(before.map(run => predict(run, change)))
  const came = median(after.map(perSecond))
  const [first] = before
  return {
    what,
    verdict: first === undefined ? '' : bottleneckOf(first).kind,
    now: round(median(before.map(perSecond))),
    predicted: round(predicted),
    came: round(came),
    error: Math.abs(predicted - came) / came,
  }
}

/** The servers take their part of the cores too, which a run sees as cores that others use. */
export async function realTrials(rounds: number): Promise<readonly RealTrial[]> {
  using pageServer = await startChild('page-server.ts')
  using proxyServers = await startChild('proxy-servers.ts', ['4', '100'])
  await using models = startModelServers()
  const { port } = pageServer.first as { readonly port: number }
  const { ports } = proxyServers.first as { readonly ports: readonly number[] }
  const small = await models.start({ workers: 4, queue: 4, meanMs: 50 })
  const proxies = ports.map(each => `http://127.0.0.1:${each}`)
  const plans = plansFor({ pages: `http://127.0.0.1:${port}`, small: `http://127.0.0.1:${small.port}`, proxies })
  // The first run of all warms the servers, and fills the cache of compiled code.
  for (const { setting } of plans.slice(0, 1)) await measure(setting)
  const rows: RealTrial[] = []
  let wasAtRest = await isAtRest()
  for (const plan of plans) {
    const trial = await trialOf(plan, rounds)
    const isStill = await isAtRest()
    rows.push({ ...trial, isJudged: wasAtRest && isStill })
    wasAtRest = isStill
  }
  return rows
}

/** Nobody else uses the cores, as far as two seconds tell. */
async function isAtRest(): Promise<boolean> {
  const lookMs = 2_000
  const foreignCores = watchForeignCores()
  await sleep(lookMs)
  return foreignCores(lookMs) < 0.1
}
