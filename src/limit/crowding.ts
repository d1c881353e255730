import { type Baseline, isKnown, lnMs } from './baseline.ts'
import type { Sample } from './limiter.ts'

/**
 * How many requests keep a host busy, where it can be told: beyond that many, the next one stands in its queue. A limit
 * learnt from losses ends where the queue ends, so that a host whose queue is as long as it has workers is given some 1.8
 * times what it works at. That harms nobody while places are left; where they are few, others could use them.
 *
 *     N        running mean of ln(first byte in ms) over 256 answers: now
 *     Q        the same of answers to requests of a calm moment: at most 0.55 L + 1 in flight when granted; over 4096 of
 *              them, from the baseline on (baseline.ts)
 *     enough   0.55 L, where exp(N - Q) > 1.25: answers wait for each other; without bound otherwise
 *
 * It bounds nothing, and is for choosing between hosts alone. A host that has enough goes after those that have not, so
 * its queue drains, and exp(N - Q) falls with it: it swings around 1.25.
 *
 * Why these numbers, from a simulation of 20 hosts of 1 to 64 workers under a cap of 256, most of them small: the least
 * that a host has of its fair share is 0.80 with them, and 0.69 without. Where capacities are spaced evenly, and there is
 * little to gain, it is 0.96 with them, and 0.95 without.
 * - 0.55: two in each worker are 1.1 of what it needs. With 0.45 a host whose baseline is wrong loses a tenth.
 * - 256: with the 32 of the limiter's own mean one host in ten is taken for a crowded one by chance, and loses a tenth.
 * - 4096: the baseline may be wrong, or the host slower for good. Whoever is held back and stays as slow has no queue of
 *   ours, and Q learns that. With 512 it learns the rest of the queue as well: 0.77.
 *
 * Known weakness: a host of one or two workers has a queue before its baseline is known, and keeps it.
 */
export interface Crowding {
  /** N. */
  nowLn: number
  /** Q. */
  calmLn: number
  /** The baseline is known. */
  isBegun: boolean
}

const enoughRatio = 0.55
const crowdedRatio = 1.25
const memoryAnswers = 256
const calmAnswers = 4_096
/** Q goes down where N is below it by more than noise, as a baseline does. */
const noiseLn = 0.25
const sinkRatio = 0.05

export const newCrowding = (): Crowding => ({ nowLn: 0, calmLn: 0, isBegun: false })

/** A good answer came, of the host's usual pace. */
export function learnCrowding(crowding: Crowding, baseline: Baseline, sample: Sample, limit: number): void {
  const { firstByteMs, inFlight } = sample
  if (firstByteMs === null || !isKnown(baseline)) return
  if (!crowding.isBegun) {
    crowding.isBegun = true
    crowding.nowLn = baseline.baseLn
    crowding.calmLn = baseline.baseLn
  }
  const ln = lnMs(firstByteMs)
  crowding.nowLn += (ln - crowding.nowLn) / memoryAnswers
  if (inFlight <= enoughRatio * limit + 1) crowding.calmLn += (ln - crowding.calmLn) / calmAnswers
  const belowLn = crowding.nowLn + noiseLn - crowding.calmLn
  if (belowLn < 0) crowding.calmLn += sinkRatio * belowLn
}

/** At least 1. */
export const enoughFor = ({ nowLn, calmLn }: Crowding, limit: number): number =>
  Math.exp(nowLn - calmLn) > crowdedRatio ? Math.max(1, Math.ceil(enoughRatio * limit)) : Number.POSITIVE_INFINITY
