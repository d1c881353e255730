import { Readable, Writable } from 'node:stream'
import type { RunProfile } from '../src/analyse/run-profile.ts'
import type { Change } from '../src/analyse/what-if.ts'
import type { Clock } from '../src/core/clock.ts'
import type { ClosableFetcher } from '../src/fetch/fetcher.ts'
import { crawl, type JobInput } from '../src/index.ts'
import { reserveBytes } from '../src/run/run-gates.ts'
import { createSimWeb, type HostModel } from '../test/sim/hosts.ts'
import type { LatencyLaw } from '../test/sim/latency.ts'
import { createSimParser } from '../test/sim/parser.ts'
import { createSimProxies } from '../test/sim/proxies.ts'
import { createSimEnv } from '../test/sim/random.ts'

/** A run in simulated time: real spine, gates, queue and report; web, threads and the main thread's work are models. */
export interface Scenario {
  readonly name: string
  readonly hosts: number
  readonly pages: number
  readonly model: HostModel
  readonly threads: number
  readonly parse: LatencyLaw
  readonly inFlight: number
  readonly perHost: number
  /** Its limit is learnt, and `perHost` the most it may be. */
  readonly isAdaptive?: boolean
  /** Work of the main thread for each page. */
  readonly mainMs?: number
  readonly ratePerSecond?: number
  /** Requests in flight through each of so many proxies, and how long a tunnel takes. */
  readonly proxies?: { readonly count: number; readonly each: number; readonly connectMs: number }
  /** What the reader takes over each page. */
  readonly readerMs?: number
  /** What the output takes over each write, and beside it over each page of one; a write is under way for so long. */
  readonly sink?: { readonly writeMs: number; readonly pageMs: number }
  readonly pageBudgetBytes?: number
  /** Seeds come one by one, so many a second; left out: all are there. */
  readonly seedsPerSecond?: number
}

const exponential = (meanMs: number): LatencyLaw => ({ kind: 'exponential', meanMs })
const common = { hosts: 20, pages: 2_000, threads: 2, inFlight: 64, perHost: 8 } as const

export const scenarios: readonly Scenario[] = [
  { ...common, name: 'parse-heavy', model: { latency: exponential(50) }, parse: exponential(20) },
  {
    ...common,
    name: 'parse-heavy, even pages',
    model: { latency: exponential(80) },
    threads: 4,
    parse: { kind: 'constant', ms: 40 },
  },
  {
    ...common,
    name: 'slow host',
    hosts: 1,
    pages: 1_500,
    perHost: 4,
    model: { latency: exponential(500) },
    parse: exponential(5),
  },
  {
    ...common,
    name: 'low bound',
    hosts: 50,
    inFlight: 4,
    model: { latency: { kind: 'lognormal', medianMs: 100, sigma: 0.7 } },
    parse: exponential(5),
  },
  {
    ...common,
    name: 'rate-limited',
    hosts: 5,
    pages: 1_500,
    ratePerSecond: 10,
    model: { latency: exponential(60) },
    parse: exponential(10),
  },
  {
    ...common,
    name: 'slow proxy',
    proxies: { count: 4, each: 2, connectMs: 200 },
    pages: 1_500,
    model: { latency: exponential(100) },
    parse: exponential(8),
  },
  { ...common, name: 'slow reader', readerMs: 15, model: { latency: exponential(50) }, parse: exponential(10) },
  {
    ...common,
    name: 'busy sink',
    sink: { writeMs: 0, pageMs: 15 },
    model: { latency: exponential(50) },
    parse: exponential(10),
  },
  {
    ...common,
    name: 'mixed: sink and threads',
    sink: { writeMs: 20, pageMs: 6 },
    model: { latency: exponential(50) },
    parse: exponential(16),
  },
  {
    ...common,
    // It writes nearly all of the time, and would take more pages with each write: threads are what there is too little of.
    name: 'slow writes of many pages',
    sink: { writeMs: 500, pageMs: 0.1 },
    model: { latency: exponential(50) },
    parse: exponential(16),
  },
  {
    ...common,
    name: 'main-thread-bound',
    mainMs: 8,
    threads: 4,
    model: { latency: exponential(50) },
    parse: exponential(12),
  },
  {
    ...common,
    name: 'mixed: hosts and threads',
    hosts: 10,
    perHost: 4,
    model: { latency: exponential(300) },
    parse: exponential(13),
  },
  {
    ...common,
    name: 'mixed: little memory',
    pageBudgetBytes: 24 * reserveBytes,
    model: { latency: { kind: 'lognormal', medianMs: 100, sigma: 1 } },
    parse: exponential(12),
  },
  {
    ...common,
    name: 'mixed: main thread and threads',
    mainMs: 6,
    threads: 2,
    model: { latency: exponential(50) },
    parse: exponential(14),
  },
  {
    ...common,
    name: 'host at its capacity, and it says so',
    hosts: 1,
    pages: 1_500,
    perHost: 32,
    isAdaptive: true,
    model: { latency: exponential(100), capacity: { workers: 6, queue: 6 } },
    parse: exponential(5),
  },
  {
    ...common,
    // Beyond what the model knows: it takes a host of a constant limit to answer as fast whoever asks, and says so.
    name: 'host at its capacity',
    hosts: 1,
    pages: 1_500,
    perHost: 12,
    model: { latency: exponential(100), capacity: { workers: 6, queue: 100 } },
    parse: exponential(5),
  },
  {
    ...common,
    name: 'mixed: bound and threads',
    inFlight: 16,
    hosts: 40,
    model: { latency: exponential(100), connectMs: 30 },
    parse: exponential(18),
  },
  {
    ...common,
    // Threads are busy half of the time, and nothing waits for them: no change brings anything.
    name: 'seeds that come slowly',
    pages: 1_500,
    seedsPerSecond: 50,
    model: { latency: exponential(50) },
    parse: exponential(20),
  },
]

export const changed = (
  scenario: Scenario,
  { threads, concurrency = 1, proxies = 1, parseCost = 1 }: Change,
): Scenario => ({
  ...scenario,
  threads: threads ?? scenario.threads,
  inFlight: scenario.inFlight * concurrency,
  perHost: scenario.perHost * concurrency,
  parse: scaled(scenario.parse, parseCost),
  ...(scenario.proxies !== undefined && {
    proxies: { ...scenario.proxies, count: scenario.proxies.count * proxies },
  }),
})

function scaled(law: LatencyLaw, factor: number): LatencyLaw {
  if (law.kind === 'constant') return { ...law, ms: law.ms * factor }
  return law.kind === 'exponential'
    ? { ...law, meanMs: law.meanMs * factor }
    : { ...law, medianMs: law.medianMs * factor }
}

const never = new AbortController().signal

/** One thing at a time, each for so long: what the main thread does for a page, as far as time goes. */
function serially(clock: Clock, eachMs: number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => clock.sleep(eachMs, never))
    return last
  }
}

const line = new TextEncoder().encode('{}\n')

/** A write is told to have ended when all of its pages had their time. */
const outputOf = (clock: Clock, { writeMs, pageMs }: NonNullable<Scenario['sink']>): Writable =>
  new Writable({
    // Each write is waited for.
    highWaterMark: 1,
    write(lines: Uint8Array, _, done) {
      void clock.sleep(writeMs + (lines.byteLength / line.byteLength) * pageMs, never).then(() => done())
    },
  })

function* urlsOf({ hosts, pages }: Scenario): Generator<string> {
  for (let nth = 0; nth < pages; nth += 1) yield `http://h${nth % hosts}.test/${nth}`
}

async function* slowly(urls: Iterable<string>, perSecond: number, clock: Clock): AsyncGenerator<string> {
  for (const url of urls) {
    await clock.sleep(1_000 / perSecond, never)
    yield `${url}\n`
  }
}

function jobOf(scenario: Scenario): JobInput {
  const { hosts, inFlight, perHost, isAdaptive = false, ratePerSecond, proxies, pageBudgetBytes } = scenario
  return {
    name: 'what-if',
    seeds: scenario.seedsPerSecond === undefined ? [...urlsOf(scenario)] : [{ from: '-' }],
    item: { title: 'title' },
    robots: { ignoreFor: Array.from({ length: hosts }, (_, nth) => `h${nth}.test`) },
    limits: {
      perHost: isAdaptive ? { policy: 'aimd', start: 2, max: perHost } : { policy: 'fixed', max: perHost },
      rate: ratePerSecond === undefined ? 'none' : { perSecond: ratePerSecond, burst: 1 },
      delayMs: 0,
      inFlight,
      ...(pageBudgetBytes !== undefined && { pageBudgetBytes, bodyBytes: 65_536 }),
    },
    ...(proxies !== undefined && {
      proxies: {
        list: Array.from({ length: proxies.count }, (_, nth) => `http://proxy${nth}.test:8000`),
        perProxy: proxies.each,
      },
    }),
  }
}

/** What the report has of it, with the CPU that the models stand for in the place of what the simulation took. */
export async function measure(scenario: Scenario, seed: number): Promise<RunProfile> {
  const { threads, parse, mainMs = 0, readerMs = 0, sink, model, proxies, seedsPerSecond } = scenario
  const env = createSimEnv(seed)
  const { clock, random } = env
  const web = createSimWeb({ env, seed, hosts: () => model })
  const way = createSimProxies({ env, web, model: () => null, connectMs: () => proxies?.connectMs ?? 0 })
  const work = serially(clock, mainMs)
  const fetcher: ClosableFetcher = {
    async fetch(request, signal) {
      const outcome = await way.fetch(request, signal)
      if (mainMs > 0) await work()
      return outcome
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const run = crawl(jobOf(scenario), {
    env,
    fetcher,
    parser: createSimParser({ clock, random, threads, law: parse, line }),
    ...(sink !== undefined && { items: outputOf(clock, sink) }),
    ...(seedsPerSecond !== undefined && {
      seedInput: Readable.from(slowly(urlsOf(scenario), seedsPerSecond, clock), { highWaterMark: 1 }),
    }),
  })
  const { profile } = await clock.run(async () => {
    if (readerMs > 0) for await (const _ of run) await clock.sleep(readerMs, never)
    return run.finished()
  })
  const mainCpuMs = profile.pages * mainMs
  return { ...profile, mainCpuMs, cpuMs: mainCpuMs + profile.parseBusyMs, cores: 64, foreignCores: 0 }
}
