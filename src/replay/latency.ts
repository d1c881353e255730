import { hashOf } from '../core/hash.ts'
import type { RecordedAttempt } from './recording.ts'

/**
 * How long an answer is waited for when it is played back.
 *
 * `modelled` draws from a distribution fitted to the record instead of repeating it. Response times of servers are skewed to
 * the right and never negative, and close to lognormal: the logarithm of a time is taken as normal. The fit is that of
 * greatest likelihood,
 *
 *   mu = mean(ln x),  sigma = sqrt(mean((ln x - mu)^2)),  x in milliseconds,
 *
 * for the time to the first byte and for that of the body by itself, each over the attempts of one host where it has at
 * least `enough` of them, and over all attempts where it has not. A draw is exp(mu + sigma z), with z from two uniform
 * numbers (Box and Muller, 1958), and at most the longest time that was seen: a host with quick and slow pages has a wide
 * sigma, and its tail would be of minutes that nobody ever waited. The two numbers come from a hash of the seed and the number
 * of the attempt, not from a sequence: an attempt waits as long whichever goes before it.
 *
 * Known weakness: times are drawn independently, so that a host that was slow for a while is slow here and there instead.
 */
export type LatencyKind = 'none' | 'recorded' | 'modelled'

export interface Delays {
  readonly connectMs: number
  readonly firstByteMs: number
  /** From the first byte to the last. */
  readonly bodyMs: number
}

export interface Lognormal {
  readonly mu: number
  readonly sigma: number
  readonly longestMs: number
}

/** Fewer tell little of how wide a distribution is. */
const enough = 30
/** A logarithm needs more than nothing, and clocks do not tell less apart. */
const leastMs = 0.1

export function lognormalOf(samplesMs: readonly number[]): Lognormal {
  const logs = samplesMs.map(ms => Math.log(Math.max(leastMs, ms)))
  const mu = logs.reduce((sum, log) => sum + log, 0) / Math.max(1, logs.length)
  const variance = logs.reduce((sum, log) => sum + (log - mu) ** 2, 0) / Math.max(1, logs.length)
  const longestMs = samplesMs.reduce((longest, ms) => Math.max(longest, ms), leastMs)
  return { mu, sigma: Math.sqrt(variance), longestMs }
}

/** @param name of the draw: the same name and the same seed give the same */
export function drawMs({ mu, sigma, longestMs }: Lognormal, seed: number, name: string): number {
  const radius = Math.sqrt(-2 * Math.log(hashOf(`${seed} ${name} radius`)))
  const z = radius * Math.cos(2 * Math.PI * hashOf(`${seed} ${name} angle`))
  return Math.min(longestMs, Math.exp(mu + sigma * z))
}

const noDelays: Delays = { connectMs: 0, firstByteMs: 0, bodyMs: 0 }

function recordedDelays({ timing, tookMs }: RecordedAttempt): Delays {
  // No answer came: what is known is how long that took.
  if (timing === null) return { ...noDelays, firstByteMs: tookMs }
  const { connectMs, firstByteMs, totalMs } = timing
  return { connectMs, firstByteMs, bodyMs: Math.max(0, totalMs - connectMs - firstByteMs) }
}

interface Fit {
  readonly firstByte: Lognormal
  readonly body: Lognormal
}

const fitOf = (delays: readonly Delays[]): Fit => ({
  firstByte: lognormalOf(delays.map(({ firstByteMs }) => firstByteMs)),
  body: lognormalOf(delays.map(({ bodyMs }) => bodyMs)),
})

const hostOf = ({ url }: RecordedAttempt): string => new URL(url).host

/** Whether anything is known of how long answers took. */
export const hasTimes = (attempts: Iterable<RecordedAttempt>): boolean =>
  Iterator.from(attempts).some(({ timing }) => timing !== null)

/** How long each attempt of a recording takes. */
export function createLatency(
  kind: LatencyKind,
  attempts: readonly RecordedAttempt[],
  seed: number,
): (attempt: RecordedAttempt) => Delays {
  if (kind === 'none') return () => noDelays
  if (kind === 'recorded') return recordedDelays
  const answered = attempts.filter(({ timing }) => timing !== null)
  const all = fitOf(answered.map(recordedDelays))
  const fits = new Map<string, Fit>()
  for (const [host, own = []] of Map.groupBy(answered, hostOf))
    if (own.length >= enough) fits.set(host, fitOf(own.map(recordedDelays)))
  return attempt => {
    const recorded = recordedDelays(attempt)
    if (attempt.timing === null) return recorded
    const { firstByte, body } = fits.get(hostOf(attempt)) ?? all
    return {
      // Whether a connection was there already is not a matter of chance.
      connectMs: recorded.connectMs,
      firstByteMs: drawMs(firstByte, seed, `${attempt.nth} first byte`),
      bodyMs: drawMs(body, seed, `${attempt.nth} body`),
    }
  }
}
