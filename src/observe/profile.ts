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
  /** How many were in a stage on average, as they came and went. */
  readonly counted: StageLevels
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
    counted: facts.counted,
    loopDelayMs: facts.loopDelayMs.p99,
  }
}

/** What was in each stage until a timeline was read: how many, times how long. The last step is the only one of another length. */
export function spentMsOf({ stepMs, lastStepMs, inFlight, parseQueue, parsing }: Timeline): StageLevels {
  const spentMs = (levels: readonly number[]): number =>
    levels.reduce((sum, level, step) => {
      const ms = step === levels.length - 1 ? Math.min(stepMs, lastStepMs) : stepMs
      return sum + level * ms
    }, 0)
  return { inFlight: spentMs(inFlight), parseQueue: spentMs(parseQueue), parsing: spentMs(parsing) }
}

/** Of a time between two readings; of a whole run, since nothing was there. */
export function levelsOver(durationMs: number, until: StageLevels, from = nothing): StageLevels {
  const overMs = Math.max(1, durationMs)
  return {
    inFlight: (until.inFlight - from.inFlight) / overMs,
    parseQueue: (until.parseQueue - from.parseQueue) / overMs,
    parsing: (until.parsing - from.parsing) / overMs,
  }
}

const nothing: StageLevels = { inFlight: 0, parseQueue: 0, parsing: 0 }

const waitsOf = ({ wait }: StageSpreads): Record<WaitCause, number> =>
  Object.fromEntries(Object.entries(wait).map(([cause, { totalMs }]) => [cause, totalMs])) as Record<WaitCause, number>
