import type { HostPolicy } from '../job/job.ts'
import { type Bucket, fullBucket, takeToken, tokenAtMs } from '../pace/bucket.ts'
import { jitterMs } from '../pace/jitter.ts'
import { meanSpacingMs } from '../pace/mean-spacing.ts'

/**
 * What keeps the departures of one host apart: a delay, what its robots file asks for, a rate. A request is granted, looks
 * for a connection, and may then be written when its turn has come, which is what the host sees.
 */
export interface HostPace {
  readonly policy: Pick<HostPolicy, 'delayMs' | 'rate'>
  readonly bucket: Bucket
  /** Requests granted and not written yet: they look for a connection, or wait for their turn to leave. */
  unsent: number
  /** How long after its grant a request could be written, on average, and how far from that; 0 while nobody tells. */
  readyAfterMs: number
  readyDeviationMs: number
  /** Least time between departures that the host's robots file asks for. */
  spacingMs: number
  /** The same by the policy, drawn at the last departure for the next. */
  delayMs: number
  /** When the last one was written, or let go to be; of one that never was, when it was granted. */
  lastDepartureMs: number
  lastGrantMs: number
}

/** One grant, as far as its departure goes. */
export interface PaceGrant {
  readonly grantedMs: number
  isSent: boolean
  /** It may be written and was counted as a departure, but is not written yet. */
  isLetGo: boolean
  /** It may not be written any more: its host was closed before its turn. */
  isWithdrawn: boolean
}

export const newPace = (policy: HostPace['policy'], spacingMs: number): HostPace => ({
  policy,
  bucket: fullBucket(),
  unsent: 0,
  readyAfterMs: 0,
  readyDeviationMs: 0,
  spacingMs,
  delayMs: 0,
  lastDepartureMs: Number.NEGATIVE_INFINITY,
  lastGrantMs: Number.NEGATIVE_INFINITY,
})

/** Time between the last departure and the next, but for what a rate asks for. */
export const gapMsOf = ({ spacingMs, delayMs }: HostPace): number => Math.max(spacingMs, delayMs)

/** Whether anything keeps its departures apart. */
export const isPaced = ({ spacingMs, policy: { delayMs, rate } }: HostPace): boolean =>
  spacingMs > 0 || delayMs.max > 0 || rate !== null

/** From when on the next of those that are ready may be written. */
export const departureAtMs = (pace: HostPace): number => {
  const { bucket, lastDepartureMs, policy } = pace
  const tokenMs = policy.rate === null ? 0 : tokenAtMs(bucket, policy.rate)
  return Math.max(lastDepartureMs + gapMsOf(pace), tokenMs)
}

/** How long after its grant most requests are ready: mean and deviation, as TCP has them of its round trips (RFC 6298). */
const leadMsOf = ({ readyAfterMs, readyDeviationMs }: HostPace): number => readyAfterMs + 2 * readyDeviationMs

/**
 * Who looks for a connection may do so before its turn comes, so that it is ready by then. Where that takes longer than
 * the time between departures several do at a time: as many as leave meanwhile (Little's law). Without that a host behind
 * slow proxies would get one request in each time that a connection takes, whatever its rate.
 */
function aheadOf(pace: HostPace): number {
  const gapMs = Math.max(pace.spacingMs, meanSpacingMs(pace.policy))
  return gapMs > 0 ? Math.floor(leadMsOf(pace) / gapMs) : 0
}

/** When the next may be granted, for all that keeps departures apart by a time. */
function spacedAtMs(pace: HostPace): number {
  const { lastGrantMs, lastDepartureMs, unsent } = pace
  const afterGrantMs = lastGrantMs + gapMsOf(pace)
  return unsent > 0 ? afterGrantMs : Math.max(afterGrantMs, lastDepartureMs + gapMsOf(pace) - leadMsOf(pace))
}

/**
 * Requests that look for a connection may all find one at once, however late. So the token of each is taken when it
 * leaves, and is promised until then: what the host sees keeps to the rate, and not only what is granted here.
 */
export const grantTokenAtMs = (pace: HostPace): number => {
  const { bucket, unsent, policy } = pace
  return policy.rate === null ? 0 : tokenAtMs(bucket, policy.rate, Math.max(0, unsent - aheadOf(pace))) - leadMsOf(pace)
}

/**
 * None may be granted before one of those granted has left. With a time between departures that is the one before, but
 * for those that may look for a connection ahead: until then nobody knows from when the gap counts. With a rate it is
 * one of a whole burst.
 */
export const isAwaited = (pace: HostPace): boolean =>
  (pace.unsent > aheadOf(pace) && (pace.spacingMs > 0 || pace.policy.delayMs.max > 0)) ||
  grantTokenAtMs(pace) === Number.POSITIVE_INFINITY

/** When the next may be granted. Infinity: when one of those before it has left. */
export const grantAtMs = (pace: HostPace): number =>
  isAwaited(pace) ? Number.POSITIVE_INFINITY : Math.max(spacedAtMs(pace), grantTokenAtMs(pace))

/** From then on a new pace would be the same, but for what was learnt of connections. */
export const pacedUntilMs = (pace: HostPace): number =>
  Math.max(pace.bucket.fullAtMs, Math.max(pace.lastDepartureMs, pace.lastGrantMs) + gapMsOf(pace))

/** One is granted, and a token promised to it. */
export function grantDeparture(pace: HostPace, nowMs: number): PaceGrant {
  pace.unsent += 1
  pace.lastGrantMs = nowMs
  return { grantedMs: nowMs, isSent: false, isLetGo: false, isWithdrawn: false }
}

/** Of the latest requests. */
const readyWeight = 1 / 8

/** The request could be written now. */
export function noteReady(pace: HostPace, { grantedMs, isSent }: PaceGrant, nowMs: number): void {
  if (isSent) return
  const errorMs = nowMs - grantedMs - pace.readyAfterMs
  pace.readyAfterMs += pace.readyAfterMs === 0 ? errorMs : readyWeight * errorMs
  pace.readyDeviationMs += readyWeight * (Math.abs(errorMs) - pace.readyDeviationMs)
}

/** The request may be written, and will be at once. The caller has seen that its turn has come. */
export function letGo(pace: HostPace, grant: PaceGrant, nowMs: number, random: () => number): void {
  grant.isLetGo = true
  countDeparture(pace, nowMs, random)
}

/** The request is written, or is once more: whatever keeps departures apart counts from here, as it does for the host. */
export function noteSent(pace: HostPace, grant: PaceGrant, nowMs: number, random: () => number): void {
  if (!grant.isSent) pace.unsent -= 1
  grant.isSent = true
  if (grant.isLetGo) pace.lastDepartureMs = nowMs
  else countDeparture(pace, nowMs, random)
  grant.isLetGo = false
  grant.isWithdrawn = false
}

/**
 * A request is over. One that never left, or of which nobody told, counts: a host that refuses is asked no more often. One
 * that was withdrawn does not: its host knows nothing of it.
 */
export function endDeparture(pace: HostPace, grant: PaceGrant, random: () => number): void {
  const { grantedMs, isSent, isLetGo, isWithdrawn } = grant
  if (isSent) return
  pace.unsent -= 1
  if (!isLetGo && !isWithdrawn) countDeparture(pace, grantedMs, random)
}

function countDeparture(pace: HostPace, atMs: number, random: () => number): void {
  const { bucket, policy } = pace
  pace.lastDepartureMs = Math.max(pace.lastDepartureMs, atMs)
  if (policy.delayMs.max > 0) pace.delayMs = jitterMs(policy.delayMs, random)
  if (policy.rate !== null) takeToken(bucket, policy.rate, atMs)
}
