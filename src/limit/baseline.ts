/**
 * How much slower a host answers than when it had nothing to do.
 *
 *     F   running mean of ln(first byte in ms), weight 1/max(32, limit): about one round trip or 32 answers
 *     B   the same of the unloaded host, the baseline
 *     r = exp(F - B)
 *
 * Logarithms, since one number then stands for a skewed law: a single slow answer or plain jitter hardly moves it,
 * where quantiles of single samples do (the p10 of a lognormal with sigma 1 is 0.28 of its median).
 *
 * The first 64 answers are the baseline; 10 or 32 of them put one baseline of 120 off by a third. Afterwards B goes
 * down by itself, and only when F is below it by more than the noise of 32 samples (ln of an exponential: +-0.16, the
 * margin is 0.25), by 5 % of the way. It never drifts up: an upward drift follows the queue that we make ourselves, and
 * is a ratchet (the limit went from 50 to 420 in ten minutes). Up it goes by a look at the host with little load.
 */
export interface Baseline {
  /** F. */
  meanLn: number
  /** B. */
  baseLn: number
  answers: number
  /** Answers since the last outage. */
  answersSince: number
}

const answersToKnow = 64
const answersAfterOutage = 16
const shortestMemory = 32
const noiseLn = 0.25
const sinkRatio = 0.05
export const relearnRatio = 0.7
/** Below a millisecond one measures one's own event loop. */
const shortestMs = 1

export const lnMs = (latencyMs: number): number => Math.log(Math.max(shortestMs, latencyMs))

export const newBaseline = (): Baseline => ({ meanLn: 0, baseLn: 0, answers: 0, answersSince: 0 })

/** The first 64 answers are in. */
export const isKnown = ({ answers }: Baseline): boolean => answers >= answersToKnow

/** F speaks of the time after the last outage. */
export const hasMean = ({ answersSince }: Baseline): boolean => answersSince >= answersAfterOutage

/** r; 1 until 64 answers are in, and for 16 answers after an outage. */
export const latencyRatio = (baseline: Baseline): number =>
  isKnown(baseline) && hasMean(baseline) ? Math.exp(baseline.meanLn - baseline.baseLn) : 1

/** Answers that F is the mean of: about one round trip, or 32. */
export const memoryOf = (limit: number): number => Math.max(shortestMemory, limit)

/**
 * Stands for it while no page has come: a slow one. A host may block from the first request on, within a millisecond
 * each, and would be asked hundreds of times a second by whoever takes that for its pace.
 */
export const unknownLatencyMs = 500

/** The latency of an answer as of now; before the first one, 0. */
export const meanLatencyMs = ({ answers, answersSince, meanLn, baseLn }: Baseline): number =>
  answers === 0 ? 0 : Math.exp(answersSince === 0 ? baseLn : meanLn)

/** @param memory see `memoryOf` */
export function learnLatency(baseline: Baseline, firstByteMs: number, memory: number): void {
  baseline.answers += 1
  baseline.answersSince += 1
  baseline.meanLn += (lnMs(firstByteMs) - baseline.meanLn) / Math.min(baseline.answersSince, memory)
  const marginLn = baseline.meanLn + noiseLn - baseline.baseLn
  if (baseline.answers <= answersToKnow) baseline.baseLn = baseline.meanLn
  else if (marginLn < 0) baseline.baseLn += sinkRatio * marginLn
}

/** After an outage F is no longer true, and would end slow start at once. B is still the unloaded host. */
export function forgetMean(baseline: Baseline): void {
  baseline.answersSince = 0
}

/**
 * The host was looked at with little load, and its answers had this mean of ln(ms): moves B 70 % of the way there and
 * F the whole.
 */
export function relearnBaseline(baseline: Baseline, meanLn: number): void {
  baseline.baseLn += relearnRatio * (meanLn - baseline.baseLn)
  baseline.meanLn = meanLn
}
