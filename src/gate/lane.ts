import type { Reading } from '../core/outcome.ts'
import type { HostKey } from '../core/url.ts'
import type { WaitCause } from '../core/waits.ts'
import type { HostPolicy } from '../job/job.ts'
import { unknownLatencyMs } from '../limit/baseline.ts'
import { createLimiter } from '../limit/index.ts'
import type { Limiter } from '../limit/limiter.ts'
import { longestPauseMs } from '../limit/outage.ts'
import { type Bucket, fullBucket, takeToken, tokenAtMs } from '../pace/bucket.ts'
import { jitterMs } from '../pace/jitter.ts'
import { newRetryBudget, type RetryBudget } from '../pace/retry-budget.ts'
import { type Circuit, givenUpUntilMs, newCircuit } from './circuit.ts'

/**
 * All that is known of one host's traffic, in one record, and the rules of granting as functions of it: no clock, no
 * timer, so that a simulation runs on the very same rules.
 */
export interface HostLane {
  readonly host: HostKey
  readonly limiter: Limiter
  readonly policy: HostPolicy
  readonly bucket: Bucket
  readonly retries: RetryBudget
  readonly circuit: Circuit
  /** Permits out, those that rest after a bad answer included. */
  inFlight: number
  /** Of these, those that rest: their request is over. */
  resting: number
  /** Requests granted as probes and not answered: 0 or 1. */
  probes: number
  /** Requests granted and not written yet: they look for a connection. */
  unsent: number
  /** The latest pause that somebody other than the limiter asked for. */
  pausedUntilMs: number
  /** Least time between departures that the host's robots file asks for. */
  spacingMs: number
  /** The same by the policy, drawn at the last departure for the next. */
  delayMs: number
  /** When the last one was written; of one that is not written yet, when it was granted. */
  lastDepartureMs: number
  lastUsedMs: number
}

/** One grant as its lane remembers it. */
export interface LaneGrant {
  readonly grantedMs: number
  /** Permits out, this one and those that rest included. */
  readonly inFlight: number
  readonly isProbe: boolean
  isSent: boolean
}

export const createLane = (host: HostKey, policy: HostPolicy, spacingMs: number, random: () => number): HostLane => ({
  host,
  limiter: createLimiter(policy.perHost, random),
  policy,
  bucket: fullBucket(),
  retries: newRetryBudget(),
  circuit: newCircuit(),
  inFlight: 0,
  resting: 0,
  probes: 0,
  unsent: 0,
  pausedUntilMs: 0,
  spacingMs,
  delayMs: 0,
  lastDepartureMs: Number.NEGATIVE_INFINITY,
  lastUsedMs: 0,
})

const nextDepartureMs = ({ lastDepartureMs, spacingMs, delayMs }: HostLane): number =>
  lastDepartureMs + Math.max(spacingMs, delayMs)

/**
 * One request at a time, until it is answered well: its limiter says so after a pause, and so it is with each policy after
 * the host was given up.
 */
export const isProbed = ({ limiter, circuit }: HostLane): boolean => limiter.probing || givenUpUntilMs(circuit) > 0

/**
 * Requests that look for a connection may all find one at once, however late. So the token of each is taken when it
 * leaves, and is promised until then: what the host sees keeps to the rate, and not only what is granted here.
 */
export const laneTokenAtMs = ({ bucket, unsent, policy: { rate } }: HostLane): number =>
  rate === null ? 0 : tokenAtMs(bucket, rate, unsent)

/**
 * None may be granted before one of those granted has left. With a time between departures that is the one before:
 * until then nobody knows from when the gap counts. With a rate it is one of a whole burst.
 */
export const isAwaited = (lane: HostLane): boolean =>
  (lane.unsent > 0 && (lane.spacingMs > 0 || lane.policy.delayMs.max > 0)) ||
  laneTokenAtMs(lane) === Number.POSITIVE_INFINITY

/** Slot before token: while no slot is free, nothing but a returned grant helps, and no token is promised. */
export function laneReadyAtMs(lane: HostLane): number {
  const { limiter } = lane
  if (lane.inFlight >= limiter.limit || (isProbed(lane) && lane.probes > 0)) return Number.POSITIVE_INFINITY
  if (isAwaited(lane)) return Number.POSITIVE_INFINITY
  return Math.max(lane.pausedUntilMs, limiter.readyAtMs, nextDepartureMs(lane), laneTokenAtMs(lane))
}

/** So many more, and the host has all that it can work at: what comes then waits in its queue. */
export const laneHasEnough = ({ inFlight, limiter }: HostLane, more: number): boolean =>
  inFlight + more >= limiter.enough

/** What it is that holds back a lane which is not ready: of several, what does so longest. */
export function laneCause(lane: HostLane, nowMs: number): WaitCause {
  const { limiter } = lane
  if (isProbed(lane) && lane.probes > 0) return 'pause'
  if (lane.inFlight >= limiter.limit) return 'hostSlot'
  if (isAwaited(lane)) return 'rate'
  const pausedUntilMs = Math.max(lane.pausedUntilMs, limiter.readyAtMs)
  const spacedUntilMs = Math.max(nextDepartureMs(lane), laneTokenAtMs(lane))
  if (Math.max(pausedUntilMs, spacedUntilMs) <= nowMs) return 'hostSlot'
  return pausedUntilMs > spacedUntilMs ? 'pause' : 'rate'
}

/** Takes a slot and, with it, the promise of a token. The caller has seen that the lane is ready. */
export function enterLane(lane: HostLane, nowMs: number, random: () => number): LaneGrant {
  const { policy } = lane
  lane.inFlight += 1
  lane.unsent += 1
  lane.lastUsedMs = nowMs
  lane.lastDepartureMs = nowMs
  if (policy.delayMs.max > 0) lane.delayMs = jitterMs(policy.delayMs, random)
  const isProbe = isProbed(lane)
  if (isProbe) lane.probes += 1
  return { grantedMs: nowMs, inFlight: lane.inFlight, isProbe, isSent: false }
}

/** The request is written: whatever keeps departures apart counts from here, as it does for the host. Each time. */
export function departLane(lane: HostLane, grant: LaneGrant, nowMs: number): void {
  if (!grant.isSent) lane.unsent -= 1
  grant.isSent = true
  lane.lastDepartureMs = nowMs
  spendToken(lane, nowMs)
}

function spendToken({ bucket, policy: { rate } }: HostLane, atMs: number): void {
  if (rate !== null) takeToken(bucket, rate, atMs)
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

/** Tells the limiter, and returns until when the slot rests: at most now when it is free at once. */
export function answerLane(lane: HostLane, grant: LaneGrant, reading: Reading, nowMs: number): number {
  if (grant.isProbe) lane.probes -= 1
  if (!grant.isSent) {
    // It never left, or nobody told: a host that cannot be connected to is not asked more often than others.
    lane.unsent -= 1
    spendToken(lane, grant.grantedMs)
  }
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
    nextDepartureMs(lane),
    lane.bucket.fullAtMs,
    limiter.readyAtMs,
    Math.max(lane.lastUsedMs, givenUpUntilMs(lane.circuit)) + quietMs,
  )
  return lane.inFlight === 0 && busyUntilMs <= nowMs
}
