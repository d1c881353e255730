import { setTimeout as sleep } from 'node:timers/promises'
import { bottleneckOf } from '../src/analyse/bottleneck.ts'
import type { RunProfile } from '../src/analyse/run-profile.ts'
import { type Change, predict } from '../src/analyse/what-if.ts'
import { watchForeignCores } from '../src/run/capacity.ts'
import { runChild, startChild } from './child.ts'
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
  readonly readerMs?: number
  /** One request each. */
  readonly proxies?: readonly string[]
}

/** One prediction that was made come true. */
export interface RealTrial {
  readonly what: string
  readonly verdict: string
  readonly now: number
  readonly predicted: number
  readonly came: number
  readonly 'error %': number
}

interface Plan {
  readonly what: string
  readonly setting: RealSetting
  readonly change: Change
}

interface Places {
  /** Real pages, 20 ms each. */
  readonly pages: string
  /** A host of 4 workers with a queue of 4. */
  readonly small: string
  /** Four of them, 100 ms a page. */
  readonly proxies: readonly string[]
}

/** Some seconds each. */
const plansFor = ({ pages: base, small, proxies }: Places): readonly Plan[] => [
  { what: 'threads 1 to 2', setting: { base, pages: 600, threads: 1, inFlight: 64 }, change: { threads: 2 } },
  { what: 'threads 2 to 1', setting: { base, pages: 600, threads: 2, inFlight: 64 }, change: { threads: 1 } },
  {
    what: 'requests in flight 1 to 2',
    setting: { base, pages: 150, threads: 2, inFlight: 1 },
    change: { concurrency: 2 },
  },
  {
    what: 'limit of the host 2 to 4',
    setting: { base, pages: 300, threads: 2, inFlight: 64, perHost: { policy: 'fixed', max: 2 } },
    change: { concurrency: 2 },
  },
  {
    what: 'a slow reader, twice the concurrency',
    setting: { base, pages: 250, threads: 2, inFlight: 16, readerMs: 15 },
    change: { concurrency: 2 },
  },
  {
    what: 'a rate of 40, twice the concurrency',
    setting: { base, pages: 160, threads: 2, inFlight: 16, ratePerSecond: 40 },
    change: { concurrency: 2 },
  },
  {
    what: 'slow proxies 2 to 4',
    setting: { base: 'http://pages.test', pages: 80, threads: 2, inFlight: 16, proxies: proxies.slice(0, 2) },
    change: { proxies: 2 },
  },
  {
    what: 'a host at its end, twice the concurrency',
    setting: { base: small, pages: 300, threads: 1, inFlight: 64, perHost: { policy: 'aimd', max: 32 } },
    change: { concurrency: 2 },
  },
]

function changed(setting: RealSetting, { threads, concurrency = 1 }: Change, proxies: readonly string[]): RealSetting {
  const { perHost, inFlight } = setting
  return {
    ...setting,
    threads: threads ?? setting.threads,
    inFlight: inFlight * concurrency,
    ...(perHost !== undefined && { perHost: { ...perHost, max: perHost.max * concurrency } }),
    ...(setting.proxies !== undefined && { proxies }),
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
const perSecond = ({ pages, durationMs }: RunProfile): number => (pages * 1_000) / durationMs
const measure = (setting: RealSetting): Promise<RunProfile> =>
  runChild<RunProfile>('what-if-run.ts', [JSON.stringify(setting)])

async function trialOf({ what, setting, change }: Plan, proxies: readonly string[]): Promise<RealTrial> {
  const before = await measure(setting)
  const came = perSecond(await measure(changed(setting, change, proxies)))
  const predicted = predict(before, change)
  const error = Math.round((Math.abs(predicted - came) / came) * 100)
  const verdict = bottleneckOf(before).kind
  return {
    what,
    verdict,
    now: round(perSecond(before)),
    predicted: round(predicted),
    came: round(came),
    'error %': error,
  }
}

/** The servers take their part of the cores too, which a run sees as cores that others use. */
export async function realTrials(): Promise<readonly RealTrial[]> {
  using pageServer = await startChild('page-server.ts')
  using proxyServers = await startChild('proxy-servers.ts', ['4', '100'])
  await using models = startModelServers()
  const { port } = pageServer.first as { readonly port: number }
  const { ports } = proxyServers.first as { readonly ports: readonly number[] }
  const small = await models.start({ workers: 4, queue: 4, meanMs: 50 })
  const proxies = ports.map(each => `http://127.0.0.1:${each}`)
  const places = { pages: `http://127.0.0.1:${port}`, small: `http://127.0.0.1:${small.port}`, proxies }
  const rows: RealTrial[] = []
  for (const plan of plansFor(places)) rows.push(await trialOf(plan, proxies))
  return rows
}

/** Nobody else uses the cores, as far as two seconds tell: else what comes true says nothing of a prediction. */
export async function isAtRest(): Promise<boolean> {
  const lookMs = 2_000
  const foreignCores = watchForeignCores()
  await sleep(lookMs)
  return foreignCores(lookMs) < 0.1
}
