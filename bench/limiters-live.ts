import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../src/core/clock.ts'
import { listen } from '../src/core/events.ts'
import { type CrawlRun, crawl, type JobInput, type Report } from '../src/index.ts'
import { assertBounds, type Bound } from './machine.ts'
import { type ModelServer, type ModelServers, type Seen, startModelServers, type Traits } from './model-server.ts'

/**
 * The whole crawler against model servers over real sockets: L1, L5, L8, L11 and L19 of the simulation, its marks
 * softened by what real clocks and a shared machine cost (utilisation 5 points, times 1.5). Two minutes in all: the
 * first four run side by side, then L11 with its dead host beside L11 without it.
 */

const item = { title: 'h1' }
const adaptive = { policy: 'aimd', start: 2, max: 128 } as const

interface Change {
  readonly atMs: number
  readonly to: number
}

interface Outing {
  readonly startMs: number
  readonly seen: Seen
  readonly changes: readonly Change[]
  readonly report: Report
}

const urlsOf = (host: string, port: number, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `http://${host}:${port}/${nth}`)

/** Runs it for so long, with what happens to its server on the way. */
async function outing(
  server: ModelServer,
  job: JobInput,
  seconds: number,
  steps: readonly (readonly [atS: number, Partial<Traits>])[] = [],
): Promise<Outing> {
  const run: CrawlRun = crawl(job, { threads: 0 })
  const changes: Change[] = []
  using _ear = listen(run.id, { 'lane.limit': ({ to }) => void changes.push({ atMs: realClock.nowMs(), to }) })
  const startMs = realClock.nowMs()
  const ending = run.finished()
  await Promise.all([
    ...steps.map(async ([atS, traits]) => {
      await sleep(atS * 1_000)
      server.set(traits)
    }),
    sleep(seconds * 1_000),
  ])
  const seen = await server.read()
  run.stop()
  const report = await ending
  return { startMs, seen, changes, report }
}

const between = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter(atMs => atMs >= fromMs && atMs < toMs).length

function utilisation({ work }: Seen, workers: number, fromMs: number, toMs: number): number {
  const busyMs = work.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)), 0)
  return busyMs / (workers * (toMs - fromMs))
}

function refusedRatio({ arrivedAtMs, refusedAtMs }: Seen, fromMs: number, toMs: number): number {
  return between(refusedAtMs, fromMs, toMs) / Math.max(1, between(arrivedAtMs, fromMs, toMs))
}

/** Seconds until the first half second in which the workers were busy for 85 % of their time. */
function secondsToFull(seen: Seen, workers: number, fromMs: number): number {
  for (let step = 0; step < 60; step += 1)
    if (utilisation(seen, workers, fromMs + step * 500, fromMs + (step + 1) * 500) >= 0.85) return (step + 1) / 2
  return Number.POSITIVE_INFINITY
}

function mostWithin(times: readonly number[], lengthMs: number): number {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= lengthMs) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

const endless = (port: number, perHost: object = adaptive, more: object = {}): JobInput => ({
  seeds: urlsOf('127.0.0.1', port, 12_000),
  item,
  limits: { perHost, delayMs: 0, rate: 'none', inFlight: 512, ...more } as NonNullable<JobInput['limits']>,
})

async function steady(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const { startMs, seen, changes } = await outing(server, endless(server.port), 30)
  const [from, to] = [startMs + 10_000, startMs + 30_000]
  const limits = changes.filter(({ atMs }) => atMs >= from).map(change => change.to)
  return [
    { name: 'L1 of capacity used', value: utilisation(seen, 16, from, to), atLeast: 0.93 },
    { name: 'L1 refused', value: refusedRatio(seen, from, to), atMost: 0.015 },
    { name: 'L1 highest limit', value: Math.max(16, ...limits), atMost: 40 },
  ]
}

async function changing(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const steps = [
    [14, { workers: 4 }],
    [28, { workers: 16 }],
  ] as const
  const { startMs, seen, changes } = await outing(server, endless(server.port), 42, steps)
  const [smallMs, largeMs] = [startMs + 14_000, startMs + 28_000]
  const firstMs = seen.refusedAtMs.find(atMs => atMs >= smallMs) ?? smallMs
  return [
    {
      name: 'L5 limit 1.5 s after the first refusal',
      value: changes.findLast(({ atMs }) => atMs <= firstMs + 1_500)?.to ?? Number.POSITIVE_INFINITY,
      atMost: 24,
    },
    { name: 'L5 refused while small', value: refusedRatio(seen, smallMs + 5_000, largeMs), atMost: 0.02 },
    { name: 'L5 seconds to full again', value: secondsToFull(seen, 16, largeMs), atMost: 6 },
  ]
}

async function refusing(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const steps = [
    [10, { isRefusing: true }],
    [40, { isRefusing: false }],
  ] as const
  const { startMs, seen, report } = await outing(server, endless(server.port), 52, steps)
  const [fromMs, toMs] = [startMs + 10_000, startMs + 40_000]
  const later = seen.arrivedAtMs.filter(atMs => atMs >= fromMs + 3_000 && atMs < toMs)
  return [
    // A refusal is back within a millisecond here, where the simulation has 10 ms of network.
    { name: 'L8 sent in the first 3 s', value: between(seen.arrivedAtMs, fromMs, fromMs + 3_000), atMost: 75 },
    { name: 'L8 probes', value: later.length, atMost: 12 },
    { name: 'L8 most in a second', value: mostWithin(later, 1_000), atMost: 1 },
    { name: 'L8 seconds to full again', value: secondsToFull(seen, 16, toMs), atMost: 10.5 },
    { name: 'L8 URLs that failed', value: report.ledger.failed, atMost: 0 },
  ]
}

async function paced(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start({ workers: 64, queue: 64 })
  const rate = { perSecond: 10, burst: 20 }
  const { seen } = await outing(server, endless(server.port, { ...adaptive, start: 50, max: 50 }, { rate }), 40)
  const [firstMs = 0] = seen.arrivedAtMs
  const sent = between(seen.arrivedAtMs, firstMs, firstMs + 35_000)
  return [
    { name: 'L19 requests in 35 s', value: sent, atLeast: 350 },
    { name: 'L19 requests in 35 s', value: sent, atMost: 373 },
    { name: 'L19 most in a second', value: mostWithin(seen.arrivedAtMs, 1_000), atMost: 31 },
  ]
}

const liveHosts = Array.from({ length: 49 }, (_, nth) => `127.0.0.${nth + 2}`)
const pagesEach = 80

/** 49 hosts of two workers and one more, which may be dead: when the 49 were through, and its share of the permits. */
async function fifty(servers: ModelServers, isDead: boolean) {
  const live = await Promise.all(liveHosts.map(() => servers.start({ workers: 2, queue: 4, meanMs: 800 })))
  const other = await servers.start({ workers: 2, queue: 4, meanMs: 800, isSilent: isDead })
  const seeds = [
    ...urlsOf('127.0.0.1', other.port, pagesEach),
    ...live.flatMap(({ port }, nth) => urlsOf(liveHosts[nth] ?? '', port, pagesEach)),
  ]
  const limits = { perHost: adaptive, delayMs: 0, inFlight: 256 }
  // The bench decides when a host that never answers is left alone, not its robots file.
  const job: JobInput = { seeds, item, limits, timeouts: { firstByteMs: 5_000 }, robots: { ignoreFor: ['127.0.0.1'] } }
  const run = crawl(job, { threads: 0 })
  let pages = 0
  let doneMs = 0
  let deadInFlight = 0
  let [deadMs, allMs, lastMs] = [0, 0, 0]
  const startMs = realClock.nowMs()
  let inFlight = 0
  function integrate(): void {
    const nowMs = realClock.nowMs()
    if (nowMs - startMs > 30_000) {
      deadMs += deadInFlight * (nowMs - Math.max(lastMs, startMs + 30_000))
      allMs += inFlight * (nowMs - Math.max(lastMs, startMs + 30_000))
    }
    lastMs = nowMs
  }
  const isOther = (host: string): boolean => host === `127.0.0.1:${other.port}`
  const finished = Promise.withResolvers<void>()
  using _ear = listen(run.id, {
    'task.admitted'({ task }) {
      integrate()
      inFlight += 1
      if (isOther(task.host)) deadInFlight += 1
    },
    'task.fetched'({ task, outcome }) {
      integrate()
      inFlight -= 1
      if (isOther(task.host)) deadInFlight -= 1
      else if (outcome === 'page') pages += 1
      if (pages < liveHosts.length * pagesEach) return
      doneMs = doneMs === 0 ? realClock.nowMs() - startMs : doneMs
      finished.resolve()
    },
  })
  const ending = run.finished()
  await Promise.race([finished.promise, sleep(75_000)])
  const why = run.explain(`http://127.0.0.1:${other.port}/1`)
  await run.close()
  await ending.catch(() => {})
  return { doneMs: doneMs === 0 ? Number.POSITIVE_INFINITY : doneMs, share: allMs === 0 ? 0 : deadMs / allMs, why }
}

async function dead(servers: ModelServers): Promise<Bound[]> {
  const [without, withDead] = await Promise.all([fifty(servers, false), fifty(servers, true)])
  console.log(`the dead host after ${Math.round(withDead.doneMs / 1_000)} s: ${withDead.why}`)
  return [
    { name: 'L11 time of the 49 others, beside a dead host', value: withDead.doneMs / without.doneMs, atMost: 1.1 },
    { name: 'L11 permits of the dead host after 30 s', value: withDead.share, atMost: 0.05 },
  ]
}

async function main(): Promise<void> {
  await using servers = startModelServers()
  const first = await Promise.all([steady(servers), changing(servers), refusing(servers), paced(servers)])
  assertBounds([...first.flat(), ...(await dead(servers))])
}

await main()
