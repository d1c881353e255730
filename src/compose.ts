import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { onAbort } from './core/abort.ts'
import { type Env, realClock, threadCpuMs } from './core/clock.ts'
import { createEvents } from './core/events.ts'
import { allOf } from './core/gate.ts'
import { createLedger } from './core/ledger.ts'
import { startPage } from './core/task.ts'
import type { HostKey } from './core/url.ts'
import { createWakeup } from './core/wakeup.ts'
import { crawl, type Stop } from './crawl/crawl.ts'
import { createErrands } from './crawl/errands.ts'
import type { House } from './crawl/house.ts'
import { createStallWatch } from './crawl/stall-watch.ts'
import { createFetcher } from './fetch/create-fetcher.ts'
import type { ClosableFetcher } from './fetch/fetcher.ts'
import { createFrontier } from './frontier/create-frontier.ts'
import { stores } from './frontier/stores/index.ts'
import { createGlobalGate } from './gate/global-gate.ts'
import { createHostGate } from './gate/host-gate.ts'
import { createPageBudget } from './gate/page-budget.ts'
import { hostReportsOf, pacedShareOf } from './host-reports.ts'
import { headersFor, hostPolicyOf } from './job/host-policy.ts'
import type { Job } from './job/job.ts'
import { readSeeds } from './job/seeds.ts'
import { openRunLog } from './log/run-log.ts'
import { watchLoopDelay } from './observe/loop-delay.ts'
import { type Report, reportOf } from './observe/report.ts'
import { gatherRunStats } from './observe/run-stats.ts'
import { openOutFolder } from './out-folder.ts'
import { createOutlet } from './outlets.ts'
import { createPagePool } from './page-pool.ts'
import type { Parser } from './parse/parser.ts'
import type { Progress } from './progress.ts'
import type { ResultChannel } from './results.ts'
import { createRobots } from './robots/create-robots.ts'
import { createRoutes } from './scope/routes.ts'
import { seedTasks } from './seed-tasks.ts'
import { stageRulesOf } from './stage-rules.ts'

export interface ComposeOptions {
  readonly id: string
  readonly env: Env
  readonly results: ResultChannel
  readonly out?: string
  readonly restart?: boolean
  readonly threads?: number
  readonly maxPages?: number
  readonly seedInput?: Readable
  readonly fetcher?: ClosableFetcher
  readonly parser?: Parser
}

/** One run, with all its parts made and wired. */
export interface Composed {
  run(stop: Stop): Promise<Report>
  progress(): Progress
}

/** A lane that has had nothing to do for this long is forgotten, and with it what was learnt of the host. */
const idleLaneMs = 300_000
/** Reserved for a page before its size is known: most real pages are below, coded. */
const reserveBytes = 65_536
const maxRedirects = 10
const drainGraceMs = 2_000

/**
 * Options to objects, read top to bottom: the only file that knows every folder's insides. What it opens it closes,
 * in the opposite order; what was passed in is left to its owner.
 */
export async function compose(job: Job, options: ComposeOptions): Promise<Composed> {
  const { id, env, results } = options
  const { clock, random } = env
  await using opening = new AsyncDisposableStack()
  const events = createEvents(id)
  const stats = opening.use(gatherRunStats(id))
  const loopDelay = opening.use(watchLoopDelay())
  const folder = options.out === undefined ? null : await openOutFolder(options.out, options.restart ?? false)
  if (folder !== null) opening.use(await openRunLog(id, folder.log))
  const outlet = opening.use(await createOutlet({ clock, events, results, files: folder }))

  const ledger = createLedger()
  const wakeup = createWakeup(clock)
  const errands = createErrands()
  const frontier = opening.use(createFrontier({ clock, ledger, store: stores.memory(), onReady: wakeup.wake }))
  const onReturned = (host: HostKey): void => {
    frontier.wake(host)
    errands.wake(host)
    wakeup.wake()
  }
  const hosts = opening.use(
    createHostGate({ env, events, onReturned, idleAfterMs: idleLaneMs, policyOf: host => hostPolicyOf(job, host) }),
  )
  const place = createGlobalGate({ max: job.limits.inFlight, onReturned: wakeup.wake })
  const slot = createPageBudget({ totalBytes: job.limits.pageBudgetBytes, reserveBytes, onReturned: wakeup.wake })
  const robots = createRobots({ env, userAgent: job.userAgent, ignoreFor: job.robots.ignoreFor })
  const { pages, scope, seedHosts } = stageRulesOf(job)
  const routes = createRoutes(pages, scope, seedHosts)
  const { timeouts, userAgent, headers, limits } = job
  const fetcher =
    options.fetcher ??
    opening.use(
      createFetcher({
        env,
        timeouts,
        userAgent,
        headers,
        headersFor: host => headersFor(job, host),
        bodyBytes: limits.bodyBytes,
      }),
    )
  const threads = options.parser?.stats.threads ?? options.threads ?? availableParallelism()
  const parser =
    options.parser ??
    opening.use(createPagePool(job, threads, code => events.emit('parse.restarted', () => ({ code }))))
  // Simulated time never stalls, and a timer that always runs would hide a lost wake-up from it.
  const stalls = clock === realClock ? opening.use(createStallWatch(clock)) : null
  const house: House = {
    clock,
    random,
    events,
    wakeup,
    frontier,
    errands,
    shared: allOf({ place, slot }),
    hosts,
    robots,
    space: (host, spacingMs) => hosts.spacingMs(host, spacingMs ?? 0),
    routes,
    fetch: fetcher.fetch,
    parser,
    outlet,
    retries: job.retries,
    maxRedirects,
    maxPages: options.maxPages ?? Number.POSITIVE_INFINITY,
    stalledSince: sinceMs => stalls?.stalledSince(sinceMs) ?? false,
  }
  const seeds = seedTasks(
    readSeeds(job, options.seedInput ?? Readable.from([])),
    url => routes.pageOf(url) ?? startPage,
  )
  const opened = opening.move()

  async function run(stop: Stop): Promise<Report> {
    const startedAt = clock.wallIso()
    const startMs = clock.nowMs()
    const startCpuMs = threadCpuMs()
    events.emit('run.started', () => ({ name: job.name, atMs: startMs }))
    using _cut = cutAfterDrain(stop)
    try {
      await crawl(house, seeds, stop)
    } finally {
      events.emit('run.ended', () => ({ stopped: ledger.counts.pending > 0, atMs: clock.nowMs() }))
      await opened.disposeAsync()
    }
    const durationMs = clock.nowMs() - startMs
    const report = reportOf(
      {
        name: job.name,
        startedAt,
        finished: ledger.counts.pending === 0,
        durationMs,
        ledger: ledger.counts,
        skips: ledger.skips,
        threads,
        mainCpuMs: threadCpuMs() - startCpuMs,
        inFlightBound: limits.inFlight,
        pacedShare: pacedShareOf(hosts.views(), job, durationMs),
        loopDelayMs: loopDelay.read(),
        hosts: hostReportsOf(hosts.views(), job, startMs),
      },
      stats,
    )
    await folder?.writeReport(report)
    return report
  }

  /** What is under way when a run is stopped has as long as one request may take, and a little. */
  function cutAfterDrain({ drain, cut }: Stop): Disposable {
    let timer: Disposable | null = null
    const start = (): void => {
      timer = clock.after(timeouts.totalMs + drainGraceMs, () => cut.abort(drain.signal.reason))
    }
    const listening = onAbort(drain.signal, start)
    return {
      [Symbol.dispose]() {
        listening[Symbol.dispose]()
        timer?.[Symbol.dispose]()
      },
    }
  }

  return {
    run,
    progress() {
      const { discovered, failed, pending } = ledger.counts
      const { items, inFlight } = stats.counts
      return {
        discovered,
        ended: discovered - pending,
        failed,
        pending,
        items,
        inFlight,
        parseQueue: parser.stats.waiting,
      }
    },
  }
}
