import { Readable, type Writable } from 'node:stream'
import { onAbort } from './core/abort.ts'
import { type Env, realClock } from './core/clock.ts'
import { createEvents } from './core/events.ts'
import { createLedger } from './core/ledger.ts'
import type { HostKey } from './core/url.ts'
import { createWakeup } from './core/wakeup.ts'
import { createSpending } from './crawl/budget.ts'
import { crawl, type SeedSource, type Stop } from './crawl/crawl.ts'
import { createErrands } from './crawl/errands.ts'
import type { House } from './crawl/house.ts'
import { createStallWatch, noStalls } from './crawl/stall-watch.ts'
import { createSuspects } from './crawl/suspects.ts'
import type { ClosableFetcher } from './fetch/fetcher.ts'
import { createResolver } from './fetch/resolver.ts'
import { createFrontier } from './frontier/create-frontier.ts'
import { createFingerprintSet } from './frontier/stores/fingerprint-set.ts'
import type { Job } from './job/job.ts'
import { readSeeds } from './job/seeds.ts'
import { openRunLog } from './log/run-log.ts'
import type { Report } from './observe/report.ts'
import type { Parser } from './parse/parser.ts'
import { createRobots } from './robots/create-robots.ts'
import { alreadyFinished, type Composed } from './run/composed.ts'
import { budgetOf, readsHeaders } from './run/crawl-options.ts'
import { cutAfterDrain } from './run/cut-after-drain.ts'
import { explainUrl } from './run/explain.ts'
import { hostReportsOf } from './run/host-reports.ts'
import { observeRun } from './run/observe-run.ts'
import { finishedReport, openOutFolder } from './run/out-folder.ts'
import { createOutlet } from './run/outlets.ts'
import { outputsOf, positionOf, webhookOf } from './run/outputs.ts'
import type { Environment } from './run/proxy-list.ts'
import type { ResultChannel } from './run/results.ts'
import { openRunFetcher } from './run/run-fetcher.ts'
import { openRunGates } from './run/run-gates.ts'
import { openRunParser, parseThreadsOf } from './run/run-parser.ts'
import { runReportOf } from './run/run-report.ts'
import { openRunState } from './run/run-state.ts'
import { seedTasks } from './run/seed-tasks.ts'
import { setAsideIn } from './run/set-aside.ts'
import { stageRulesOf } from './run/stage-rules.ts'
import { startStopwatch } from './run/stopwatch.ts'
import { watchOver } from './run/watch-over.ts'
import { createRoutes } from './scope/routes.ts'
import { createTrapWatch } from './scope/trap-watch.ts'

export interface ComposeOptions {
  readonly id: string
  readonly env: Env
  readonly results: ResultChannel
  readonly out?: string
  readonly items?: Writable
  readonly restart?: boolean
  readonly threads?: number
  readonly maxPages?: number
  readonly seedInput?: Readable
  readonly jobFile?: string
  readonly environment?: Environment
  readonly fetcher?: ClosableFetcher
  readonly parser?: Parser
  readonly record?: string
  /** Instead of those of the job. */
  readonly seeds?: SeedSource
}

/**
 * Options to objects, read top to bottom: with its neighbours in `run/`, the only place that knows every folder's insides.
 * What it opens it closes, in the opposite order; what was passed in is left to its owner.
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
  const observers = opening.use(observeRun(id, clock, job))
  const folder = options.out === undefined ? null : await openOutFolder(options.out, options.restart ?? false)
  const outputs = outputsOf({ folder, pipe: options.items }, job, clock)
  const state = opening.use(await openRunState(folder, job, outputs ?? {}, clock))
  const { recovered, start } = state
  if (folder !== null) opening.use(await openRunLog(id, folder.log))

  const ledger = createLedger()
  const wakeup = createWakeup(clock)
  const errands = createErrands()
  const resolver = createResolver({ clock })
  const fetcher = opening.use(await openRunFetcher(job, { ...options, events, resolver, goesOn: state.isBegun }))
  const frontier = opening.use(
    createFrontier({
      clock,
      ledger,
      store: state.store,
      onReady: wakeup.wake,
      isAtHand: task => fetcher.recall?.has(task) === true,
      hasEnough: (host, more) => gates.hosts.hasEnough(host, more),
      onUncommitted: () => outlet.commitSoon(),
    }),
  )
  if (recovered !== null) {
    ledger.restore(recovered)
    await frontier.recover()
  }
  const outlet = opening.use(
    await createOutlet({
      clock,
      events,
      results,
      outputs,
      start,
      seal() {
        const commit = frontier.seal()
        return ({ positions, rows }) => commit(positions, rows)
      },
      webhook: webhookOf(folder, job, state.delivery, { ...env, events }),
    }),
  )
  const wake = (host: HostKey): boolean => {
    errands.wake(host)
    wakeup.wake()
    return frontier.wake(host)
  }
  const { environment = {} } = options
  const threads = parseThreadsOf(options)
  const gates = opening.use(
    await openRunGates(job, { env, events, resolver, environment, threads, wakeAll: wakeup.wake, wake }),
  )
  const { hosts, place, backlog, slot, rate, shared, proxies } = gates
  const { totalWaitMs } = job.retries
  const robots = createRobots({ env, userAgent: job.userAgent, ignoreFor: job.robots.ignoreFor, totalWaitMs })
  const { pages, scope, seedHosts } = stageRulesOf(job)
  const routes = createRoutes(pages, scope, seedHosts, job.urls)
  const { parser } = opening.use(await openRunParser(job, { ...options, events, folder }))
  const spending = opening.use(createSpending(budgetOf(job, options.maxPages), clock, wakeup.wake))
  const traps = job.traps === null ? null : createTrapWatch(job.traps)
  const house: House = {
    clock,
    random,
    events,
    wakeup,
    frontier,
    errands,
    shared,
    room: slot,
    backlog,
    hosts,
    robots,
    proxies: proxies.gate,
    space: (host, spacingMs) => hosts.spacingMs(host, spacingMs ?? 0),
    routes,
    fetch: fetcher.fetch,
    recall: fetcher.recall ?? null,
    parser,
    wantsHeaders: readsHeaders(job),
    suspects: createSuspects(setAsideIn(folder, options.jobFile ?? 'JOB', clock)),
    outlet,
    retries: job.retries,
    redirects: job.redirects,
    spending,
    canonical: job.canonical,
    contents: job.sameContent === 'skip' ? createFingerprintSet() : null,
    traps,
    // A timer that goes on while a request is under way would hide a lost wake-up from simulated time.
    stalls: clock === realClock ? createStallWatch(clock) : noStalls,
  }
  const watchdog = watchOver({ clock, events, frontier, hosts, proxies: proxies.gate })
  if (watchdog !== null) opening.use(watchdog)
  const stdin = options.seedInput ?? Readable.from([])
  const seeds = options.seeds ?? (signal => seedTasks(readSeeds(job, stdin, signal), routes))
  const opened = opening.move()
  let startMs = clock.nowMs()

  async function run(stop: Stop): Promise<Report> {
    const stopwatch = startStopwatch(clock)
    startMs = stopwatch.startMs
    events.emit('run.started', () => ({ name: job.name, atMs: stopwatch.startMs }))
    if (recovered !== null && (recovered.positions !== null || recovered.damage !== null)) {
      const { done, pending, damage } = recovered
      events.emit('run.resumed', () => ({ done, pending, damage, changed: state.changed }))
    }
    using _hurried = onAbort(stop.drain.signal, () => watchdog?.hurry())
    using _cut = cutAfterDrain(stop, clock, job.timeouts.totalMs)
    // A reader that parks would hold what is cut for ever.
    using _discarding = onAbort(stop.cut.signal, results.discard)
    using _released = onAbort(stop.drain.signal, outlet.release)
    let isComplete = false
    try {
      isComplete = await crawl(house, seeds, stop)
      await outlet.finish(isComplete)
    } finally {
      events.emit('run.ended', () => ({ stopped: ledger.counts.pending > 0, atMs: clock.nowMs() }))
      await opened.disposeAsync()
    }
    const elapsed = stopwatch.read()
    const ended = { job, isComplete, elapsed, threads, observers, gates, ledger, outlet, spending, traps, fetcher }
    const report = runReportOf(ended)
    await folder?.writeReport(report)
    return report
  }

  return {
    run,
    explain: url =>
      explainUrl({ clock, frontier, routes, hosts, robots, place, backlog, slot, rate, proxies: proxies.gate }, url),
    proxies,
    hosts: () => hostReportsOf(hosts.views(), job, startMs, observers.notes),
    progress() {
      const { discovered, failed, pending } = ledger.counts
      const { items, inFlight } = observers.stats.counts
      const parked = inFlight === 0 && pending > 0 ? proxies.gate.explain() : null
      const standstill = watchdog?.read() ?? null
      return {
        discovered,
        ended: discovered - pending,
        failed,
        pending,
        items: positionOf(start, 'items').lines + items,
        inFlight,
        parseQueue: parser.stats.waiting,
        ...(parked !== null && { parked }),
        ...(standstill !== null && { standstill }),
      }
    },
  }
}
