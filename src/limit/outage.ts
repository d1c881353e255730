import type { Sample } from './limiter.ts'

/**
 * When to leave a host alone altogether, and for how long.
 *
 *     pause    after max(3, limit) bad answers in a row, after a bad probe, or when Retry-After says so
 *     length   max(Retry-After, min(1 s x 2^step, max(4 s, age of the outage / 8), 5 min)), times 1.0 to 1.1 at random
 *     probe    after the pause one request alone; a good answer ends the outage, a bad one is the next step
 *
 * The limit in the first rule is the one after the cut, or a burst never fills it. Plain doubling would wait up to as
 * long again as the outage took; an eighth of its age finds the host back within an eighth. What was granted before
 * the pause tells of the time before it, and adds no step: else a burst of 30 refusals would count thirty times.
 */
export interface Outage {
  /** Bad answers in a row. */
  row: number
  /** Pauses since the last good answer to a request from after one. */
  step: number
  /** When the first of these pauses began; null when the host is well. */
  begunMs: number | null
  pausedAtMs: number
  /** End of the last pause; 0 before the first. */
  readyAtMs: number
  /** The probe of the last pause is still to be answered well. */
  probing: boolean
}

/** No pause without a Retry-After is longer. */
export const longestPauseMs = 300_000
const shortestPauseMs = 1_000
const shortestCeilingMs = 4_000
const outagePart = 1 / 8
const mostJitter = 0.1
const fewestInRow = 3

export const newOutage = (): Outage => ({
  row: 0,
  step: 0,
  begunMs: null,
  pausedAtMs: Number.NEGATIVE_INFINITY,
  readyAtMs: 0,
  probing: false,
})

function pauseMs({ begunMs, step }: Outage, nowMs: number, askedMs: number, random: () => number): number {
  const ceilingMs = Math.max(shortestCeilingMs, (nowMs - (begunMs ?? nowMs)) * outagePart)
  const backoffMs = Math.min(shortestPauseMs * 2 ** step, ceilingMs, longestPauseMs)
  return Math.max(askedMs, backoffMs) * (1 + mostJitter * random())
}

const retryAfterReason = (askedMs: number): string => `Retry-After of ${Math.ceil(askedMs / 1000)} s`

function whyPause({ probing, row }: Outage, askedMs: number, limit: number): string | null {
  if (askedMs > 0) return retryAfterReason(askedMs)
  if (probing) return 'the probe after the pause failed'
  return row >= Math.max(fewestInRow, limit) ? `${row} bad answers in a row` : null
}

/** A good answer came. True: it was the probe, and the outage is over. */
export function endOutage(outage: Outage, startedMs: number): boolean {
  outage.row = 0
  if (startedMs <= outage.pausedAtMs) return false
  const wasProbe = outage.probing
  outage.step = 0
  outage.begunMs = null
  outage.probing = false
  return wasProbe
}

/** A request from before the pause was answered badly: its Retry-After can make the pause longer, nothing else. */
function prolong(outage: Outage, untilMs: number, askedMs: number): string | null {
  if (askedMs === 0 || untilMs <= outage.readyAtMs) return null
  outage.readyAtMs = untilMs
  return retryAfterReason(askedMs)
}

/** A bad answer came, and left the limit at `limit`. Says why a pause begins or becomes longer, or null. */
export function pauseIfBad(outage: Outage, sample: Sample, limit: number, random: () => number): string | null {
  const { nowMs, startedMs, retryAfterMs } = sample
  const askedMs = retryAfterMs ?? 0
  if (startedMs <= outage.pausedAtMs) return prolong(outage, nowMs + askedMs, askedMs)
  outage.row += 1
  const why = whyPause(outage, askedMs, limit)
  if (why === null) return null
  outage.begunMs ??= nowMs
  outage.pausedAtMs = nowMs
  outage.readyAtMs = Math.max(outage.readyAtMs, nowMs + pauseMs(outage, nowMs, askedMs, random))
  outage.probing = true
  outage.step += 1
  return why
}
