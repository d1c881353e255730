import { Readable } from 'node:stream'
import { onAbort } from './core/abort.ts'
import { type Env, processCpuMs, realClock, threadCpuMs } from './core/clock.ts'
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
import { createSuspects } from './crawl/suspects.ts'
import type { ClosableFetcher } from './fetch/fetcher.ts'
import { createFrontier } from './frontier/create-frontier.ts'
import { createGlobalGate } from './gate/global-gate.ts'
import { createGlobalRate } from './gate/global-rate.ts'
import { createHostGate } from './gate/host-gate.ts'
import { createPageBudget } from './gate/page-budget.ts'
import { hostPolicyOf } from './job/host-policy.ts'
import type { Job } from './job/job.ts'
import { readSeeds } from './job/seeds.ts'
import { openRunLog } from './log/run-log.ts'
import { watchLoopDelay } from './observe/loop-delay.ts'
import { gatherPathNotes } from './observe/path-notes.ts'
import { type Report, reportOf } from './observe/report.ts'
import { gatherRunStats } from './observe/run-stats.ts'
import type { Parser } from './parse/parser.ts'
import { createRobots } from './robots/create-robots.ts'
import { alreadyFinished, type Composed } from './run/composed.ts'
import { availableThreads } from './run/cores.ts'
import { cutAfterDrain } from './run/cut-after-drain.ts'
import { explainUrl } from './run/explain.ts'
import { hostReportsOf, pacedShareOf } from './run/host-reports.ts'
import { createJobFetcher } from './run/job-fetcher.ts'
import { finishedReport, openOutFolder } from './run/out-folder.ts'
import { createOutlet } from './run/outlets.ts'
import { createPagePool } from './run/page-pool.ts'
import type { ResultChannel } from './run/results.ts'
import { openRunState } from './run/run-state.ts'
import { seedTasks } from './run/seed-tasks.ts'
import { setAsideIn } from './run/set-aside.ts'
import { stageRulesOf } from './run/stage-rules.ts'
import { createRoutes } from './scope/routes.ts'
import type { Positions } from './sink/committer.ts'

export interface ComposeOptions {
  readonly id: string
  readonly env: Env
  readonly results: ResultChannel
  readonly out?: string
  readonly restart?: boolean
  readonly threads?: number
  readonly maxPages?: number
  readonly seedInput?: Readable
  readonly jobFile?: string
  readonly fetcher?: ClosableFetcher
  readonly parser?: Parser
}

/** A lane that has had nothing to do for this long is forgotten, and with it what was learnt of the host. */
const idleLaneMs = 300_000
/** Reserved for a page before its size is known: most real pages are below, coded. */
const reserveBytes = 65_536

/**
 * Options to objects, read top to bottom: the only file that knows every folder's insides. What it opens it closes,
 * in the opposite order; what was passed in is left to its owner.
 */
export async function compose(job: Job, options: ComposeOptions): Promise<Composed> {
  const report = options.out === undefined || options.restart ? null : await finishedReport(options.out)
  return report === null ? composeRun(job, options) : alreadyFinished(report)
}

async function composeRun(job: Job, options: ComposeOptions): Promise<Composed> {
  const { id, env, results } = options
  const { clock, random } = env
  await using opening = new AsyncDisposableStack()
  const events = createEvents(id)
  const stats = opening.use(gatherRunStats(id))
  const notes = opening.use(gatherPathNotes(id))
  const loopDelay = opening.use(watchLoopDelay())
  const folder = options.out === undefined ? null : await openOutFolder(options.out, options.restart ?? false)
  const state = await openRunState(folder, job, clock)
  if (folder !== null) opening.use(await openRunLog(id, folder.log))

  const ledger = createLedger()
  const wakeup = createWakeup(clock)
  const errands = createErrands()
  const frontier = opening.use(
    createFrontier({
      clock,
      ledger,
      store: state.store,
      onReady: wakeup.wake,
      onUncommitted: () => outlet.commitSoon(),
    }),
  )
  const seal = (): ((positions: Positions) => Promise<void>) => {
    const commit = frontier.seal()
    return ({ items, dead }) => commit({ items: { ...items }, dead: { ...dead } })
  }
  const { recovered, start } = state
  if (recovered !== null) {
    ledger.restore(recovered)
    await frontier.recover()
  }
  const outlet = opening.use(await createOutlet({ clock, events, results, files: folder, start, seal }))
  const onReturned = (host: HostKey): void => {
    frontier.wake(host)
    errands.wake(host)
    wakeup.wake()
  }
  const hosts = opening.use(
    createHostGate({
      env,
      events,
      onReturned,
      idleAfterMs: idleLaneMs,
      policyOf: host => hostPolicyOf(job, host),
      retries: job.retries,
    }),
  )
  const place = createGlobalGate({ max: job.limits.inFlight, onReturned: wakeup.wake })
  const slot = createPageBudget({ totalBytes: job.limits.pageBudgetBytes, reserveBytes, onReturned: wakeup.wake })
  const rate = createGlobalRate(clock, job.limits.globalRate)
  const robots = createRobots({ env, userAgent: job.userAgent, ignoreFor: job.robots.ignoreFor })
  const { pages, scope, seedHosts } = stageRulesOf(job)
  const routes = createRoutes(pages, scope, seedHosts)
  const { timeouts, limits } = job
  const fetcher = options.fetcher ?? opening.use(await createJobFetcher(job, env))
  const threads = options.parser?.stats.threads ?? options.threads ?? availableThreads()
  const parser =
    options.parser ??
    opening.use(createPagePool(job, threads, code => events.emit('parse.restarted', () => ({ code }))))
  await parser.ready()
  // Simulated time never stalls, and a timer that always runs would hide a lost wake-up from it.
  const stalls = clock === realClock ? opening.use(createStallWatch(clock)) : null
  const house: House = {
    clock,
    random,
    events,
    wakeup,
    frontier,
    errands,
    shared: allOf({ place, slot, rate }),
    hosts,
    robots,
    space: (host, spacingMs) => hosts.spacingMs(host, spacingMs ?? 0),
    routes,
    fetch: fetcher.fetch,
    parser,
    wantsHeaders: name => pages.some(page => page.name === name && page.module !== undefined),
    suspects: createSuspects(setAsideIn(folder, options.jobFile ?? 'JOB', clock)),
    outlet,
    retries: job.retries,
    redirects: job.redirects,
    maxPages: options.maxPages ?? Number.POSITIVE_INFINITY,
    stalledSince: sinceMs => stalls?.stalledSince(sinceMs) ?? false,
  }
  const stdin = options.seedInput ?? Readable.from([])
  const seeds = (signal: AbortSignal) =>
    seedTasks(readSeeds(job, stdin, signal), url => routes.pageOf(url) ?? startPage)
  const opened = opening.move()

  async function run(stop: Stop): Promise<Report> {
    const startedAt = clock.wallIso()
    const startMs = clock.nowMs()
    const startCpuMs = { main: threadCpuMs(), all: processCpuMs() }
    events.emit('run.started', () => ({ name: job.name, atMs: startMs }))
    if (recovered !== null && recovered.positions !== null)
      events.emit('run.resumed', () => ({ done: recovered.done, pending: recovered.pending, changed: state.changed }))
    using _cut = cutAfterDrain(stop, clock, timeouts.totalMs)
    // A reader that parks would hold what is cut for ever.
    using _discarding = onAbort(stop.cut.signal, results.discard)
    let isComplete = false
    try {
      isComplete = await crawl(house, seeds, stop)
      await outlet.finish()
    } finally {
      events.emit('run.ended', () => ({ stopped: ledger.counts.pending > 0, atMs: clock.nowMs() }))
      await opened.disposeAsync()
    }
    const durationMs = clock.nowMs() - startMs
    const mainCpuMs = threadCpuMs() - startCpuMs.main
    const report = reportOf(
      {
        name: job.name,
        startedAt,
        finished: isComplete,
        items: outlet.items ?? stats.counts.items,
        durationMs,
        ledger: ledger.counts,
        skips: ledger.skips,
        threads,
        mainCpuMs,
        otherCpuMs: Math.max(0, processCpuMs() - startCpuMs.all - mainCpuMs),
        inFlightBound: limits.inFlight,
        pacedShare: pacedShareOf(hosts.views(), job, durationMs),
        loopDelayMs: loopDelay.read(),
        hosts: hostReportsOf(hosts.views(), job, startMs, notes),
      },
      stats,
    )
    await folder?.writeReport(report)
    return report
  }

  return {
    run,
    explain: url => explainUrl({ clock, frontier, hosts, robots, place, slot, rate }, url),
    progress() {
      const { discovered, failed, pending } = ledger.counts
      const { items, inFlight } = stats.counts
      return {
        discovered,
        ended: discovered - pending,
        failed,
        pending,
        items: start.items.lines + items,
        inFlight,
        parseQueue: parser.stats.waiting,
      }
    },
  }
}
