import type { Reading } from '../core/outcome.ts'
import type { HostKey } from '../core/url.ts'
import type { WaitCause } from '../core/waits.ts'
import type { HostPolicy } from '../job/job.ts'
import { unknownLatencyMs } from '../limit/baseline.ts'
import { createLimiter } from '../limit/index.ts'
import type { Limiter } from '../limit/limiter.ts'
import { longestPauseMs } from '../limit/outage.ts'
import { newRetryBudget, type RetryBudget } from '../pace/retry-budget.ts'
import { type Circuit, givenUpUntilMs, newCircuit } from './circuit.ts'
import {
  endDeparture,
  grantAtMs,
  grantDeparture,
  type HostPace,
  newPace,
  type PaceGrant,
  pacedUntilMs,
} from './host-pace.ts'

/**
 * All that is known of one host's traffic, in one record, and the rules of granting as functions of it: no clock, no
 * timer, so that a simulation runs on the very same rules.
 */
export interface HostLane extends HostPace {
  readonly host: HostKey
  readonly limiter: Limiter
  readonly policy: HostPolicy
  readonly retries: RetryBudget
  readonly circuit: Circuit
  /** Permits out, those that rest after a bad answer included. */
  inFlight: number
  /** Of these, those that rest: their request is over. */
  resting: number
  /** Requests granted as probes and not answered: 0 or 1. */
  probes: number
  /** The latest pause that somebody other than the limiter asked for. */
  pausedUntilMs: number
  lastUsedMs: number
}

/** One grant as its lane remembers it. */
export interface LaneGrant extends PaceGrant {
  /** Permits out, this one and those that rest included. */
  readonly inFlight: number
  readonly isProbe: boolean
  /** Until when the lane was closed, by what was known then. */
  readonly closedUntilMs: number
}

export const createLane = (host: HostKey, policy: HostPolicy, spacingMs: number, random: () => number): HostLane => ({
  host,
  ...newPace(policy, spacingMs),
  limiter: createLimiter(policy.perHost, random),
  policy,
  retries: newRetryBudget(),
  circuit: newCircuit(),
  inFlight: 0,
  resting: 0,
  probes: 0,
  pausedUntilMs: 0,
  lastUsedMs: 0,
})

/**
 * One request at a time, until it is answered well: its limiter says so after a pause, and so it is with each policy after
 * the host was given up.
 */
export const isProbed = ({ limiter, circuit }: HostLane): boolean => limiter.probing || givenUpUntilMs(circuit) > 0

/** Slot before token: while no slot is free, nothing but a returned grant helps, and no token is promised. */
export function laneReadyAtMs(lane: HostLane): number {
  const { limiter } = lane
  if (lane.inFlight >= limiter.limit || (isProbed(lane) && lane.probes > 0)) return Number.POSITIVE_INFINITY
  return Math.max(lane.pausedUntilMs, limiter.readyAtMs, grantAtMs(lane))
}

/** Nobody is to be asked before then, but for the probe of a host that was given up. */
const closedUntilMs = ({ pausedUntilMs, limiter, circuit }: HostLane): number =>
  Math.max(pausedUntilMs, limiter.readyAtMs, givenUpUntilMs(circuit))

/**
 * What was granted before a pause, and is not written yet, would be written within it, or beside the one probe after it.
 * Whoever is granted after that is not turned away by the same, or it would come back at once, again and again.
 */
export const isTurnedAway = (lane: HostLane, grant: LaneGrant, nowMs: number): boolean =>
  closedUntilMs(lane) > Math.max(nowMs, grant.closedUntilMs) || (isProbed(lane) && !grant.isProbe)

/** So many more, and the host has all that it can work at: what comes then waits in its queue. */
export const laneHasEnough = ({ inFlight, limiter }: HostLane, more: number): boolean =>
  inFlight + more >= limiter.enough

/** What it is that holds back a lane which is not ready: of several, what does so longest. */
export function laneCause(lane: HostLane, nowMs: number): WaitCause {
  const { limiter } = lane
  if (isProbed(lane) && lane.probes > 0) return 'pause'
  if (lane.inFlight >= limiter.limit) return 'hostSlot'
  const pausedUntilMs = Math.max(lane.pausedUntilMs, limiter.readyAtMs)
  const spacedUntilMs = grantAtMs(lane)
  if (Math.max(pausedUntilMs, spacedUntilMs) <= nowMs) return 'hostSlot'
  return pausedUntilMs > spacedUntilMs ? 'pause' : 'rate'
}

/** Takes a slot and, with it, the promise of a token. The caller has seen that the lane is ready. */
export function enterLane(lane: HostLane, nowMs: number): LaneGrant {
  lane.inFlight += 1
  lane.lastUsedMs = nowMs
  const isProbe = isProbed(lane)
  if (isProbe) lane.probes += 1
  const { inFlight } = lane
  return { ...grantDeparture(lane, nowMs), inFlight, isProbe, closedUntilMs: closedUntilMs(lane) }
}

/**
 * Often faster than any page: a slot that came back as fast would turn a host that fails, or that blocks everything, into
 * a faster one. Not a block that a region is blamed for: it says nothing of what the host thinks of other ways.
 */
const isRested = ({ verdict, blocked = false }: Reading): boolean =>
  verdict === 'refused' || verdict === 'error' || (verdict === 'good' && blocked)

/**
 * Bad answers in a row end in a pause, also those before the first page. A block is not one of them: while nobody knows
 * how long a page takes, it rests as long as a slow one would take.
 */
const holdMsOf = ({ holdMs }: Limiter, { verdict }: Reading): number =>
  holdMs === 0 && verdict === 'good' ? unknownLatencyMs : holdMs

/** The request of a grant is over, whatever came of it. */
export function endGrant(lane: HostLane, grant: LaneGrant, random: () => number): void {
  if (grant.isProbe) lane.probes -= 1
  endDeparture(lane, grant, random)
}

/** Tells the limiter, and returns until when the slot rests: at most now when it is free at once. */
export function answerLane(
  lane: HostLane,
  grant: LaneGrant,
  reading: Reading,
  nowMs: number,
  random: () => number,
): number {
  endGrant(lane, grant, random)
  const { limiter } = lane
  const restUntilMs = isRested(reading) ? grant.grantedMs + holdMsOf(limiter, reading) : nowMs
  const { grantedMs: startedMs, inFlight } = grant
  limiter.observe({ ...reading, nowMs, startedMs, inFlight })
  return restUntilMs
}

/** Requests that the host is at, as far as it can be told from here. */
export const underWayOf = ({ inFlight, resting }: HostLane): number => inFlight - resting

/** The slot is free again. */
export function leaveLane(lane: HostLane, nowMs: number): void {
  lane.inFlight -= 1
  lane.lastUsedMs = nowMs
}

/**
 * Nothing would be lost by forgetting the lane: whoever comes back later finds it as it would be by then. A host in
 * an outage, or given up, is kept as long as the longest pause after it, or it would be asked by two at once instead of
 * one probe.
 */
export function isIdleLane(lane: HostLane, nowMs: number, idleAfterMs: number): boolean {
  const { limiter } = lane
  const quietMs = isProbed(lane) ? Math.max(idleAfterMs, longestPauseMs) : idleAfterMs
  const busyUntilMs = Math.max(
    lane.pausedUntilMs,
    pacedUntilMs(lane),
    limiter.readyAtMs,
    Math.max(lane.lastUsedMs, givenUpUntilMs(lane.circuit)) + quietMs,
  )
  return lane.inFlight === 0 && busyUntilMs <= nowMs
}
