import type { Reading } from '../core/outcome.ts'

/**
 * When to stop waiting for a host that says "wait". Its lane obeys a Retry-After for all of its URLs, but only the URL
 * that got the answer counts it towards what it may be kept waiting: the others would stand in line for as long as the
 * host likes, a day for each that is asked. So the host counts as well:
 *
 *     counted    the waits it asked for since its last good answer; where two overlap, their time once
 *     given up   when they come to more than a URL may be kept waiting, at least a minute: until the last of them ends
 *     then       one URL may go, as after any pause; a good answer begins the count anew, another wait goes on with it
 *
 * What was granted before the host asked, and comes back well after it, tells of the time before. A minute, so that one
 * short Retry-After does not end all URLs of a host where none may be kept waiting at all.
 */
export interface AskedWaits {
  totalMs: number
  /** The last of them as it was asked for, when, and until when. */
  lastMs: number
  askedAtMs: number
  untilMs: number
  /** What they were found to be longer than. */
  patienceMs: number
  givenUpUntilMs: number
}

const shortestMs = 60_000

export const newAskedWaits = (): AskedWaits => ({
  totalMs: 0,
  lastMs: 0,
  askedAtMs: Number.NEGATIVE_INFINITY,
  untilMs: 0,
  patienceMs: 0,
  givenUpUntilMs: 0,
})

/** An answer as its host's waits are told of it. */
export interface AskedWhen {
  readonly nowMs: number
  /** When its request was granted. */
  readonly startedMs: number
  /** Until when the lane is paused after it: a limiter makes a wait somewhat longer than it was asked for. */
  readonly pausedUntilMs: number
}

/** True: the host is given up with this answer. */
export function noteAskedWait(asked: AskedWaits, reading: Reading, when: AskedWhen, patienceMs: number): boolean {
  const { verdict, retryAfterMs } = reading
  const { nowMs, startedMs, pausedUntilMs } = when
  if (verdict === 'good' && startedMs > asked.askedAtMs) Object.assign(asked, newAskedWaits())
  if (verdict === 'good' || verdict === 'ignored' || retryAfterMs === null || retryAfterMs === 0) return false
  const untilMs = nowMs + retryAfterMs
  asked.totalMs += Math.max(0, untilMs - Math.max(nowMs, asked.untilMs))
  asked.untilMs = Math.max(asked.untilMs, untilMs)
  asked.lastMs = retryAfterMs
  asked.askedAtMs = nowMs
  asked.patienceMs = patienceMs
  if (asked.totalMs <= Math.max(shortestMs, patienceMs)) return false
  const isNew = asked.givenUpUntilMs <= nowMs
  asked.givenUpUntilMs = Math.max(asked.untilMs, pausedUntilMs)
  return isNew
}

const seconds = (durationMs: number): string => `${Math.round(durationMs / 1000)} s`

export function whyNotAwaited({ totalMs, lastMs, patienceMs }: AskedWaits): string {
  const [last, total] = [seconds(lastMs), seconds(totalMs)]
  const waits = last === total ? last : `${last}, and since its last good answer ${total} in all`
  return `given up: it asked to wait ${waits}, which is above retries.totalWaitMs (${patienceMs})`
}
