import type { Ledger } from '../core/ledger.ts'
import type { Spending } from '../crawl/budget.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import type { Job } from '../job/job.ts'
import { type Report, reportOf } from '../observe/report.ts'
import type { TrapWatch } from '../scope/trap-watch.ts'
import { capacityOf } from './capacity.ts'
import { hostReportsOf, pacedShareOf, raisableShareOf, untriedShareOf } from './host-reports.ts'
import type { Observers } from './observe-run.ts'
import type { ClosableOutlet } from './outlets.ts'
import { type RunGates, reserveBytes } from './run-gates.ts'
import type { Elapsed } from './stopwatch.ts'

/** What is left of a run when it has ended: its parts, closed or not, and what it took. */
export interface EndedRun {
  readonly job: Job
  readonly isComplete: boolean
  readonly elapsed: Elapsed
  readonly threads: number
  readonly observers: Observers
  readonly gates: RunGates
  readonly ledger: Ledger
  readonly outlet: Pick<ClosableOutlet, 'items'>
  readonly spending: Spending
  readonly traps: TrapWatch | null
  readonly fetcher: Pick<ClosableFetcher, 'recall'>
}

export function runReportOf(run: EndedRun): Report {
  const { job, isComplete, elapsed, threads, observers, gates, ledger, outlet, spending, traps, fetcher } = run
  const { startedAt, startMs, durationMs, mainCpuMs, otherCpuMs, foreignCores } = elapsed
  const { stats, notes, pageTally, timeline, endings, loopDelay } = observers
  const views = gates.hosts.views()
  const proxies = gates.proxies.views()
  return reportOf(
    {
      name: job.name,
      startedAt,
      finished: isComplete,
      items: outlet.items ?? stats.counts.items,
      durationMs,
      ledger: ledger.counts,
      skips: ledger.skips,
      budget: isComplete ? null : spending.spent,
      traps: traps?.report() ?? [],
      threads,
      auditShare: job.audit,
      cache: fetcher.recall === undefined ? null : { ...fetcher.recall.counts },
      mainCpuMs,
      otherCpuMs,
      capacity: capacityOf({ job, reserveBytes, proxies: proxies.length, foreignCores }),
      pacedShare: pacedShareOf(views, job, durationMs),
      raisableShare: raisableShareOf(views, job),
      untriedShare: untriedShareOf(views, job),
      loopDelayMs: loopDelay.read(),
      hosts: hostReportsOf(views, job, startMs, notes),
      droppedHosts: gates.hosts.droppedViews,
      proxies,
      pageRules: pageTally.report(),
      timeline: timeline.read(startMs + durationMs),
      endings: endings.read(startMs + durationMs, ledger.counts.pending),
    },
    stats,
  )
}
