import type { Reading, Verdict } from '../core/outcome.ts'
import type { HostKey } from '../core/url.ts'
import {
  type BlockRate,
  type BlockRateGauge,
  newBlockRate,
  noteBlock,
  noteRouteBlock,
  noteRouteUnmasked,
  noteUnmasked,
  type RouteBlockRate,
  type RouteBlockRates,
  readBlockRate,
  readRouteBlocks,
} from './block-rate.ts'
import type { HostLane } from './lane.ts'

/** A stretch in which the limit went one way for one reason: each step by itself would fill the report. */
export interface LimitChange {
  readonly atMs: number
  readonly untilMs: number
  readonly from: number
  readonly to: number
  readonly reason: string
}

export interface LanePause {
  readonly untilMs: number
  readonly reason: string
}

/** What one host's lane has seen, for the report. Outlives the lane. */
export interface LaneStats {
  /** Of requests under way: permits that rest are not among them. */
  peakInFlight: number
  /** For how long permits were out, all added up, and for how long there were some to be had: both until the last answer. */
  heldMs: number
  limitMs: number
  limitAtMs: number | null
  pauses: number
  lastPause: LanePause | null
  limit: number
  /** Stretches that no longer fit into `changes`. */
  droppedChanges: number
  readonly changes: LimitChange[]
  readonly answers: Record<Verdict, number>
  /** Answers that say "not you", by their status or by their text. */
  blocked: number
  readonly blockRate: BlockRate
  readonly routeBlockRates: RouteBlockRates
  /** A uniform sample of the good answers, but for those in which our own loop was blocked. */
  readonly firstByteMs: number[]
  sampled: number
}

/** One host as the report shows it. */
export interface LaneView {
  readonly host: HostKey
  readonly limit: number
  readonly inFlight: number
  readonly peakInFlight: number
  /** Permits that were out over those that there were, on average from the first request to the last answer. */
  readonly fullness: number
  /** Least time between departures that its robots file asks for. */
  readonly spacingMs: number
  readonly pauses: number
  readonly lastPause: LanePause | null
  readonly changes: readonly LimitChange[]
  /** Stretches older than those in `changes`. */
  readonly droppedChanges: number
  /** Null while no good answer came that tells. */
  readonly firstByteP50Ms: number | null
  readonly firstByteP95Ms: number | null
  readonly answers: Readonly<Record<Verdict, number>>
  /** In all, and of late. */
  readonly blocked: number
  readonly blockRate: BlockRateGauge
  /** Of late, by the way that requests took. */
  readonly blockRateByRoute: readonly RouteBlockRate[]
}

const longestHistory = 64
const sampleSize = 128

export const createLaneStats = (limit: number): LaneStats => ({
  peakInFlight: 0,
  heldMs: 0,
  limitMs: 0,
  limitAtMs: null,
  pauses: 0,
  lastPause: null,
  limit,
  droppedChanges: 0,
  changes: [],
  answers: { good: 0, refused: 0, timeout: 0, error: 0, ignored: 0 },
  blocked: 0,
  blockRate: newBlockRate(),
  routeBlockRates: { byRoute: null },
  firstByteMs: [],
  sampled: 0,
})

/** The limit until now, before it changes or anything is answered. */
function integrateLimit(stats: LaneStats, nowMs: number): void {
  if (stats.limitAtMs !== null) stats.limitMs += stats.limit * (nowMs - stats.limitAtMs)
  stats.limitAtMs = nowMs
}

export function noteGrant(stats: LaneStats, inFlight: number, nowMs: number): void {
  stats.limitAtMs ??= nowMs
  stats.peakInFlight = Math.max(stats.peakInFlight, inFlight)
}

/** The permit of a request that was granted then is back. */
export function noteReturn(stats: LaneStats, grantedMs: number, nowMs: number): void {
  integrateLimit(stats, nowMs)
  stats.heldMs += nowMs - grantedMs
}

/** Keeps the latest stretches: an old one makes room for a new one. */
export function noteLimit(stats: LaneStats, atMs: number, to: number, reason: string): void {
  const { changes, limit: from } = stats
  if (stats.limitAtMs !== null) integrateLimit(stats, atMs)
  const last = changes.at(-1)
  stats.limit = to
  if (last !== undefined && last.reason === reason && last.to === from && last.to > last.from === to > from) {
    changes[changes.length - 1] = { ...last, untilMs: atMs, to }
    return
  }
  changes.push({ atMs, untilMs: atMs, from, to, reason })
  if (changes.length <= longestHistory) return
  changes.shift()
  stats.droppedChanges += 1
}

/** Reservoir sampling (Vitter, algorithm R): each answer of the run is in the sample with the same chance. */
export function noteAnswer(stats: LaneStats, reading: Reading, nowMs: number, random: () => number): void {
  const { verdict, firstByteMs, stalled, blocked = false, route = '' } = reading
  stats.answers[verdict] += 1
  if (blocked) stats.blocked += 1
  // Whoever is to blame for a block, it was the host that answered.
  if (blocked || verdict !== 'ignored') {
    noteRouteBlock(stats.routeBlockRates, stats.blockRate, route, nowMs, blocked)
    noteBlock(stats.blockRate, nowMs, blocked)
  }
  if (verdict !== 'good' || firstByteMs === null || stalled) return
  stats.sampled += 1
  const place = stats.sampled <= sampleSize ? stats.sampled - 1 : Math.floor(random() * stats.sampled)
  if (place < sampleSize) stats.firstByteMs[place] = firstByteMs
}

/** An answer that was noted then, as that of a page, was a block: its text says so. */
export function noteBlockPage(stats: LaneStats, { route = '' }: Reading, answeredMs: number): void {
  stats.blocked += 1
  noteUnmasked(stats.blockRate, answeredMs)
  noteRouteUnmasked(stats.routeBlockRates, route, answeredMs)
}

export function notePause(stats: LaneStats, untilMs: number, reason: string): void {
  stats.pauses += 1
  stats.lastPause = { untilMs, reason }
}

/** By nearest rank. */
const quantile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null

export const answersOf = ({ answers }: LaneStats): number =>
  answers.good + answers.refused + answers.timeout + answers.error + answers.ignored

export function laneViewOf(
  host: HostKey,
  stats: LaneStats,
  lane: HostLane | undefined,
  spacingMs: number,
  nowMs: number,
): LaneView {
  const sorted = [...stats.firstByteMs].sort((a, b) => a - b)
  return {
    host,
    limit: stats.limit,
    inFlight: lane?.inFlight ?? 0,
    peakInFlight: stats.peakInFlight,
    fullness: stats.limitMs === 0 ? 0 : stats.heldMs / stats.limitMs,
    spacingMs,
    pauses: stats.pauses,
    lastPause: stats.lastPause,
    changes: [...stats.changes],
    droppedChanges: stats.droppedChanges,
    firstByteP50Ms: quantile(sorted, 0.5),
    firstByteP95Ms: quantile(sorted, 0.95),
    answers: { ...stats.answers },
    blocked: stats.blocked,
    blockRate: readBlockRate(stats.blockRate, nowMs),
    blockRateByRoute: readRouteBlocks(stats.routeBlockRates, stats.blockRate, nowMs),
  }
}
