import { type Bottleneck, bottleneckOf } from '../analyse/bottleneck.ts'
import type { RunEndings } from '../analyse/run-endings.ts'
import type { RunProfile } from '../analyse/run-profile.ts'
import type { Tail } from '../analyse/tail.ts'
import { tailOf } from '../analyse/tail-of.ts'
import { threadAdviceOf } from '../analyse/thread-advice.ts'
import { type WhatIf, whatIfOf } from '../analyse/what-if.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { SkipReason, SpentBudget } from '../core/fate.ts'
import type { LedgerCounts } from '../core/ledger.ts'
import type { TrapReport } from '../core/trap.ts'
import type { UnroutedLinks } from '../core/wire.ts'
import type { AuditReport } from './audit-tally.ts'
import type { PageReport } from './page-tally.ts'
import { levelsOver, type ProfileFacts, profileOf, spentMsOf } from './profile.ts'
import type { Resumed, RunStats, StageTimes } from './run-stats.ts'
import type { StageSpreads } from './stage-times.ts'
import type { Timeline } from './timeline.ts'

/** One host as its gate saw it. */
export interface HostReport {
  readonly host: string
  /** Requests it may have in flight now, and how that came about. */
  readonly limit: number
  readonly limitChanges: readonly {
    readonly atMs: number
    /** A limit that goes one way for one reason does so in a stretch. */
    readonly untilMs: number
    readonly from: number
    readonly to: number
    readonly reason: string
  }[]
  /** Changes before those, which are not kept. */
  readonly droppedLimitChanges: number
  readonly peakInFlight: number
  /** Requests in flight over the limit, on average: 1 is a host held full from its first request to its last answer. */
  readonly fullness: number
  readonly requests: number
  readonly latencyMs: { readonly p50: number; readonly p95: number }
  /** Blocks (429, 403, a block sign, what only some proxies get) over all answers, whoever is blamed for them. Not 503s. */
  readonly blockRate: number
  /** The same over the last `windowMs` of the run alone, in which so many answers came. */
  readonly blockRateOfLate: { readonly share: number; readonly answers: number; readonly windowMs: number }
  /** That once more by the way that requests took: `direct`, or the proxy or region; those with the most answers first. */
  readonly blockRateByRoute: readonly {
    readonly route: string
    readonly share: number
    readonly answers: number
    readonly windowMs: number
  }[]
  readonly pauses: number
  /** Parts of the host that hang where the rest of it answers. */
  readonly notes: readonly string[]
  /** The recorded reason where it may be asked faster than others. */
  readonly reason: string | null
}

/** One way out through a proxy, by its label: never with credentials. */
export interface ProxyReport {
  readonly proxy: string
  readonly region: string
  readonly uses: number
  readonly inFlight: number
  readonly failures: Readonly<Record<string, number>>
  /** Between 0 and 1, out of its last attempts. */
  readonly score: number
  readonly latencyP95Ms: number | null
  readonly coolDowns: number
  /** Left alone when the run ended. */
  readonly isDown: boolean
  /** What hosts thought of its region: blocks over answers. */
  readonly blockRates: readonly { readonly host: string; readonly rate: number; readonly answers: number }[]
}

/** `report.json`: what a run did, and what bound it. */
export interface Report {
  readonly name: string
  readonly startedAt: string
  /** False when the run was stopped before every URL had an outcome. */
  readonly finished: boolean
  /**
   * An earlier process began the run: `ledger`, `skips` and `items` are of all of it, everything else is since
   * `startedAt`, when it went on. Null: it began anew.
   */
  readonly resumed: Resumed | null
  readonly ledger: LedgerCounts
  readonly skips: Readonly<Record<SkipReason, number>>
  /** The bound of `budget` that ended the run; null: none did. */
  readonly budget: SpentBudget | null
  /** Endless rows of URLs, those with the most links first. */
  readonly traps: readonly TrapReport[]
  /** Followed links, and URLs of sitemaps, that are in scope and fit no page rule, on each page anew; null: none. */
  readonly unrouted: UnroutedLinks | null
  readonly deadByCode: Readonly<Partial<Record<ErrorCode, number>>>
  readonly items: number
  readonly durationMs: number
  readonly pagesPerSecond: number
  readonly bytesIn: number
  readonly peakInFlight: number
  readonly peakInFlightByHost: Readonly<Record<string, number>>
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Of the process: its main thread, and its other threads (workers, and those of V8 that help them). */
  readonly cpuMs: { readonly main: number; readonly workers: number }
  readonly stages: Readonly<StageTimes>
  /** Totals and percentiles of every stage, what comes before admission among them. */
  readonly stageTimes: StageSpreads
  /** Of averages over the whole run, its tail included. */
  readonly bottleneck: Bottleneck
  /** The last part of the run, in which a few URLs were left; null: there was none. */
  readonly tail: Tail | null
  /** What changes of the settings would bring, in the order of the list. */
  readonly whatIf: readonly WhatIf[]
  /** What verdict and predictions were reckoned from. */
  readonly profile: RunProfile
  readonly hosts: readonly HostReport[]
  /** Hosts that are not listed, out of many of few answers; one that came back after it was left out counts again. */
  readonly droppedHosts: number
  readonly proxies: readonly ProxyReport[]
  readonly pageRules: readonly PageReport[]
  readonly timeline: Timeline
  readonly parse: {
    readonly engine: string
    readonly threads: number
    /** Where fewer threads would have done, by what was measured. */
    readonly advice: string | null
    readonly pages: number
    readonly timeouts: number
    readonly restarts: number
    /** Scripts that a field took for JSON and that hold none; the good ones of their pages are kept. */
    readonly brokenBlocks: number
  }
  /** Null: the job asks for none. */
  readonly audit: AuditReport | null
  /** What became of stored answers; null: the job has no cache. */
  readonly cache: CacheReport | null
}

export interface CacheReport {
  /** Answers used without asking their hosts. */
  readonly hits: number
  /** Answers that their hosts said still hold. */
  readonly revalidated: number
  /** Answers that were written. */
  readonly stored: number
}

/** What the report needs beside the events. */
export interface RunFacts extends Omit<ProfileFacts, 'counted'> {
  readonly name: string
  readonly startedAt: string
  readonly finished: boolean
  readonly items: number
  readonly ledger: LedgerCounts
  readonly skips: Readonly<Record<SkipReason, number>>
  readonly budget: SpentBudget | null
  readonly traps: readonly TrapReport[]
  /** Which part of the pages both parsers are to read. */
  readonly auditShare: number
  readonly cache: CacheReport | null
  readonly loopDelayMs: Report['loopDelayMs']
  readonly hosts: readonly HostReport[]
  readonly droppedHosts: number
  readonly proxies: readonly ProxyReport[]
  readonly pageRules: readonly PageReport[]
  readonly timeline: Timeline
  readonly endings: RunEndings
}

const round = (value: number): number => Math.round(value * 10) / 10

export function reportOf(facts: RunFacts, stats: RunStats): Report {
  const { counts, stages } = stats
  const stageTimes = stats.stageTimes()
  const counted = levelsOver(facts.durationMs, spentMsOf(facts.timeline))
  const profile = profileOf({ ...facts, counted }, stats)
  const [engine = 'tree', ...otherEngines] = stats.engines
  return {
    name: facts.name,
    startedAt: facts.startedAt,
    finished: facts.finished,
    resumed: stats.resumed(),
    ledger: facts.ledger,
    skips: facts.skips,
    budget: facts.budget,
    traps: facts.traps,
    unrouted: stats.unrouted(),
    deadByCode: stats.codes,
    items: facts.items,
    durationMs: round(facts.durationMs),
    pagesPerSecond: round((counts.pages * 1000) / Math.max(1, facts.durationMs)),
    bytesIn: counts.bytesIn,
    peakInFlight: counts.peakInFlight,
    peakInFlightByHost: Object.fromEntries(stats.peakInFlightByHost),
    loopDelayMs: facts.loopDelayMs,
    cpuMs: { main: round(facts.mainCpuMs), workers: round(facts.otherCpuMs) },
    stages: {
      connect: round(stages.connect),
      firstByte: round(stages.firstByte),
      body: round(stages.body),
      parse: round(stages.parse),
      parseQueue: round(stages.parseQueue),
      parseBusy: round(stages.parseBusy),
      sink: round(stages.sink),
    },
    stageTimes,
    bottleneck: bottleneckOf(profile),
    tail: tailOf(facts.endings),
    whatIf: whatIfOf(profile),
    profile,
    hosts: facts.hosts,
    droppedHosts: facts.droppedHosts,
    proxies: facts.proxies,
    pageRules: facts.pageRules,
    timeline: facts.timeline,
    parse: {
      engine: otherEngines.length > 0 ? 'mixed' : engine,
      threads: facts.threads,
      advice: threadAdviceOf({
        threads: facts.threads,
        durationMs: facts.durationMs,
        pages: counts.pages,
        workerCpuMs: stages.parseBusy,
      }),
      pages: counts.pages,
      timeouts: counts.timeouts,
      restarts: counts.restarts,
      brokenBlocks: counts.brokenBlocks,
    },
    audit: facts.auditShare === 0 ? null : stats.audit(),
    cache: facts.cache,
  }
}
