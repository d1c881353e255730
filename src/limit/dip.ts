import { type Baseline, latencyRatio, lnMs, meanLatencyMs } from './baseline.ts'
import type { Sample } from './limiter.ts'

/**
 * A dip: a short look at the host with so little load that it has no queue, to learn what "unloaded" means by now.
 * At most max(1, floor(0.8 limit / r)) requests are in flight until 32 answers granted within that bound are in. On a
 * slow host that would last for minutes, hence 8 answers are enough once 10 s have passed.
 */
export interface Dip {
  /** Requests in flight while it lasts. */
  readonly limit: number
  /** Latency of an answer under load, as it was before. */
  readonly loadedMs: number
  readonly begunMs: number
  answers: number
  sumLn: number
}

const loadRatio = 0.8
const answersWanted = 32
const answersEnough = 8
const longEnoughMs = 10_000

export const newDip = (fullLimit: number, baseline: Baseline, begunMs: number): Dip => ({
  limit: Math.max(1, Math.floor((loadRatio * fullLimit) / latencyRatio(baseline))),
  loadedMs: meanLatencyMs(baseline),
  begunMs,
  answers: 0,
  sumLn: 0,
})

/** Mean of ln(ms) of the unloaded host when this was the last answer the dip needed, else null. */
export function dipMeanLn(dip: Dip, { startedMs, inFlight, firstByteMs, nowMs }: Sample): number | null {
  if (startedMs < dip.begunMs || inFlight > dip.limit || firstByteMs === null) return null
  dip.answers += 1
  dip.sumLn += lnMs(firstByteMs)
  const wanted = nowMs - dip.begunMs >= longEnoughMs ? answersEnough : answersWanted
  return dip.answers >= wanted ? dip.sumLn / dip.answers : null
}
