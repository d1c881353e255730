import type { LaneView } from '../gate/lane-stats.ts'
import { hostOverrideOf, hostPolicyOf } from '../job/host-policy.ts'
import type { HostPolicy, Job } from '../job/job.ts'
import type { PathNotes } from '../observe/path-notes.ts'
import type { HostReport } from '../observe/report.ts'
import { meanSpacingMs } from '../pace/mean-spacing.ts'

const answersOf = ({ answers }: LaneView): number => Object.values(answers).reduce((sum, count) => sum + count, 0)

/** The hosts of a run as their gates saw them, the busiest first. */
export function hostReportsOf(
  views: readonly LaneView[],
  job: Job,
  startMs: number,
  notes: Pick<PathNotes, 'of'>,
): HostReport[] {
  return views
    .map(view => {
      const requests = answersOf(view)
      return {
        host: view.host,
        limit: view.limit,
        limitChanges: view.changes.map(({ atMs, untilMs, from, to, reason }) => ({
          atMs: Math.round(atMs - startMs),
          untilMs: Math.round(untilMs - startMs),
          from,
          to,
          reason,
        })),
        droppedLimitChanges: view.droppedChanges,
        peakInFlight: view.peakInFlight,
        fullness: Math.round(view.fullness * 1000) / 1000,
        requests,
        latencyMs: { p50: view.firstByteP50Ms ?? 0, p95: view.firstByteP95Ms ?? 0 },
        blockRate: requests === 0 ? 0 : view.blocked / requests,
        blockRateOfLate: view.blockRate,
        blockRateByRoute: view.blockRateByRoute,
        pauses: view.pauses,
        notes: notes.of(view.host),
        reason: hostOverrideOf(job, view.host)?.reason ?? null,
      }
    })
    .sort((left, right) => right.requests - left.requests)
}

/** Not held below its bound by what the host could bear: it is at the bound, or nothing has cut it yet. */
function isRaisable({ limit, changes, droppedChanges }: LaneView, { perHost }: HostPolicy): boolean {
  // No job may ask for more than it does by itself.
  if (perHost.policy === 'courteous') return false
  return limit >= perHost.max || (droppedChanges === 0 && changes.every(({ from, to }) => to >= from))
}

/** Part of the requests that went to the hosts that are counted; null: there were no requests. */
function requestShare(views: readonly LaneView[], isCounted: (view: LaneView) => boolean): number | null {
  let requests = 0
  let counted = 0
  for (const view of views) {
    requests += answersOf(view)
    if (isCounted(view)) counted += answersOf(view)
  }
  return requests === 0 ? null : counted / requests
}

/** Part of the requests that went to hosts whose limit would follow a higher bound. */
export const raisableShareOf = (views: readonly LaneView[], job: Job): number =>
  requestShare(views, view => isRaisable(view, hostPolicyOf(job, view.host))) ?? 1

/** Part of the requests that went to hosts whose limit is a constant. */
export const untriedShareOf = (views: readonly LaneView[], job: Job): number =>
  requestShare(views, ({ host }) => hostPolicyOf(job, host).perHost.policy === 'fixed') ?? 0

/** By the job and, where that asks for more, by the robots file of the host. */
const spacingMsOf = ({ spacingMs }: LaneView, policy: HostPolicy): number => Math.max(meanSpacingMs(policy), spacingMs)

/**
 * Part of the run in which spacing or a rate must have held back the busiest host, or all of them: departures by the
 * time each needs.
 */
export function pacedShareOf(views: readonly LaneView[], job: Job, durationMs: number): number {
  const shares = views.map(
    view => (answersOf(view) * spacingMsOf(view, hostPolicyOf(job, view.host))) / Math.max(1, durationMs),
  )
  const { globalRate } = job.limits
  const requests = views.reduce((sum, view) => sum + answersOf(view), 0)
  const overAll = globalRate === null ? 0 : (requests * 1000) / globalRate.tokensPerSecond / Math.max(1, durationMs)
  return Math.min(1, Math.max(0, overAll, ...shares))
}
