import type { RunProfile, StageLevels } from '../analyse/run-profile.ts'
import type { WaitCause } from '../core/waits.ts'
import type { RunStats } from './run-stats.ts'
import type { StageSpreads } from './stage-times.ts'
import type { Timeline } from './timeline.ts'

/** What a run could have had. */
export interface Capacity {
  /** Cores that the process may use, and how many of them others used meanwhile. */
  readonly cores: number
  readonly foreignCores: number
  readonly inFlight: number
  readonly pageBudgetBytes: number
  readonly reserveBytes: number
  /** Null: no proxies. */
  readonly proxyPlaces: number | null
}

/** What the analysis needs beside the events. */
export interface ProfileFacts {
  readonly durationMs: number
  readonly threads: number
  readonly mainCpuMs: number
  /** CPU of the process beside its main thread. */
  readonly otherCpuMs: number
  readonly capacity: Capacity
  readonly pacedShare: number
  readonly raisableShare: number
  readonly untriedShare: number
  readonly hosts: readonly { readonly requests: number; readonly fullness: number }[]
  readonly loopDelayMs: { readonly p99: number }
  readonly timeline: Timeline
}

/** How full the hosts were, each weighted by its requests. */
function fullnessOf(hosts: ProfileFacts['hosts']): number {
  let weighted = 0
  let requests = 0
  for (const host of hosts) {
    weighted += host.requests * Math.min(1, host.fullness)
    requests += host.requests
  }
  return requests === 0 ? 0 : weighted / requests
}

/** Pages that the budget has room for: each takes its reserve, or what pages were on average. */
function pageSlotsOf({ capacity: { pageBudgetBytes, reserveBytes } }: ProfileFacts, { counts }: RunStats): number {
  const meanBytes = counts.pages === 0 ? 0 : counts.bytesIn / counts.pages
  return Math.max(1, Math.floor(pageBudgetBytes / Math.max(reserveBytes, meanBytes)))
}

/** What a run measured, as the analysis reads it. */
export function profileOf(facts: ProfileFacts, stats: RunStats): RunProfile {
  const { counts, stages } = stats
  const { capacity } = facts
  const stageTimes = stats.stageTimes()
  return {
    durationMs: facts.durationMs,
    pages: counts.pages,
    threads: facts.threads,
    cores: capacity.cores,
    foreignCores: capacity.foreignCores,
    mainCpuMs: facts.mainCpuMs,
    cpuMs: facts.mainCpuMs + facts.otherCpuMs,
    parseBusyMs: stages.parseBusy,
    parseQueueMs: stages.parseQueue,
    requestMs: counts.requestMs,
    inFlightBound: capacity.inFlight,
    hostFullness: fullnessOf(facts.hosts),
    raisableShare: facts.raisableShare,
    untriedShare: facts.untriedShare,
    proxyPlaces: capacity.proxyPlaces,
    pacedShare: facts.pacedShare,
    pageSlots: pageSlotsOf(facts, stats),
    commitMs: stageTimes.commit.totalMs,
    sinkWrites: counts.sinkWrites,
    sinkBusyMs: stages.sink,
    sinkPageMs: stats.sinkPageMs(),
    waitMs: waitsOf(stageTimes),
    counted: countedOf(facts),
    loopDelayMs: facts.loopDelayMs.p99,
  }
}

/** Levels over the whole run; the last step is the only one of another length. */
function countedOf({ timeline, durationMs }: ProfileFacts): StageLevels {
  const { stepMs, lastStepMs } = timeline
  const meanOf = (levels: readonly number[]): number => {
    const lastMs = Math.min(stepMs, lastStepMs)
    const spentMs = levels.reduce((sum, level, step) => sum + level * (step === levels.length - 1 ? lastMs : stepMs), 0)
    return spentMs / Math.max(1, durationMs)
  }
  const { inFlight, parseQueue, parsing } = timeline
  return { inFlight: meanOf(inFlight), parseQueue: meanOf(parseQueue), parsing: meanOf(parsing) }
}

const waitsOf = ({ wait }: StageSpreads): Record<WaitCause, number> =>
  Object.fromEntries(Object.entries(wait).map(([cause, { totalMs }]) => [cause, totalMs])) as Record<WaitCause, number>
