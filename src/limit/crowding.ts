import type { Sample } from './limiter.ts'

/**
 * How many requests keep a host busy: beyond that many, the next one stands in its queue. A limit learnt from losses ends
 * where the queue ends, so that a host whose queue is as long as it has workers is given some 1.8 times what it works at.
 * That harms nobody while places are left; where they are few, others could use them.
 *
 *     n        running mean of the requests in flight, over 256 answers
 *     R, R0    latency over the same answers, and that of a calm host: squares of the means of sqrt(first byte in ms)
 *     work     n R0 / R: those of them that are worked at or on their way, and do not wait (Little, 1961)
 *     enough   1.12 work + 0.4, and at least 0.5 L; without bound until R0 is known
 *
 * It bounds nothing, and is for choosing between hosts alone: a host that has enough goes after those that have not. One
 * without a queue works at all it has, so that enough is more than that, and grows with it.
 *
 * R0 is learnt in windows of time. An answer belongs to the window in which its request was granted, and those that come
 * after its end are waited for: the answers that a window of answers would miss are the long ones.
 * - The first 64 answers, when the limit is at most 6 (aimd.ts).
 * - Where the limit is still small, those have our own queue in them already, and a look begins: L/2 is enough until 128
 *   answers to requests granted with no more than that in flight are in. They are R0, whatever it was.
 * - The same again when R > 1.12 R0, after 256 more answers, and after twice as many each time: R0 becomes the mean of all
 *   windows, the last 512 answers of them. A host that really has a queue loses nothing by it; one that was taken for
 *   such is found out.
 * - In between, by 1/4096 of an answer granted with at most 0.55 L + 0.5 in flight. Whoever is held back and stays as slow
 *   has no queue of ours. And down at once, when R is below it by more than noise, as a baseline does.
 *
 * Why these numbers, from a simulation of 20 hosts of 1 to 64 workers under a cap of 256, 20 seeds. Most of them small: the
 * least that a host has of its fair share is 0.88, where all hosts hold all that their limits allow 0.69, and 0.89 if R0
 * were known. Evenly spaced, where there is little to gain, 0.93.
 * - Roots: their mean is as steady as that of the times themselves for an exponential law, and as that of the logarithms
 *   for a skewed one, and grows nearly as the work does; logarithms make a queue 1.3 times as long as it is.
 * - 1.12 and 0.4: noise of R and R0 is a tenth. With less a host without a queue is held back where it should grow; with
 *   more, queues keep the places. Of one or two workers 0.12 is no request, and they would never have another one.
 * - 0.5 L: a wrong R0 can cost no more than the half of a limit that losses have taught.
 *
 * Known weakness: a host is known by some hundred answers, so that of twenty the one with the worst luck has 0.05 less. And
 * a host of two or three workers without a queue cannot be told from one with a queue by its first answers: the look, a
 * quarter of a minute, costs it a third of that time.
 */
export interface Crowding {
  /** n. */
  busy: number
  /** The root of R. */
  nowRoot: number
  /** Usual answers, those of windows left out. */
  answers: number
  /** The root of R0; 0 until it is known. */
  calmRoot: number
  /** That R0 is the mean of. */
  calmAnswers: number
  /** The last window, which may have ended. */
  readonly window: Window
  looks: number
  sinceLook: number
}

interface Window {
  /** Why: all that comes, or a look, whose outcome is the truth or one among others. */
  aim: 'first' | 'replace' | 'check'
  sinceMs: number
  /** Infinity while it is open. */
  untilMs: number
  answers: number
  meanRoot: number
}

const leastRatio = 0.5
const spareRatio = 1.12
const spare = 0.4
const memoryAnswers = 256
/** What n and R begin with counts as so many answers. */
const priorAnswers = 32
const wantedAnswers = { first: 64, replace: 128, check: 128 }
/** Twice the limit that holds until a baseline is known: above it, that was below half of what the host takes. */
const smallLimit = 12
/** In a look a few more may be in flight, as they are whenever nobody else can use a place. */
const lookSlack = 1.15
const longestMean = 512
const shortestInterval = 256
const longestInterval = 8_192
const calmRatio = 0.55
const calmSpare = 0.5
const calmMemory = 4_096
/** 1.28 in time, as in a baseline. */
const noiseRatio = 1.13
const sinkRatio = 0.05
/** Below a millisecond one measures one's own event loop. */
const shortestMs = 1

const newWindow = (aim: Window['aim'], sinceMs: number): Window => ({
  aim,
  sinceMs,
  untilMs: Number.POSITIVE_INFINITY,
  answers: 0,
  meanRoot: 0,
})

export const newCrowding = (): Crowding => ({
  busy: 0,
  nowRoot: 0,
  answers: 0,
  calmRoot: 0,
  calmAnswers: 0,
  window: newWindow('first', Number.NEGATIVE_INFINITY),
  looks: 0,
  sinceLook: 0,
})

const isOpen = ({ untilMs }: Window): boolean => untilMs === Number.POSITIVE_INFINITY

/** R / R0. */
const slowness = ({ nowRoot, calmRoot }: Crowding): number => (nowRoot / calmRoot) ** 2

const lookLimit = (limit: number): number => Math.max(1, Math.floor(leastRatio * limit))

function belongs({ aim, sinceMs, untilMs }: Window, { startedMs, inFlight }: Sample, limit: number): boolean {
  if (startedMs < sinceMs || startedMs >= untilMs) return false
  return aim === 'first' || inFlight <= lookSlack * lookLimit(limit)
}

/** So many answers more, of this mean. */
function learnCalm(crowding: Crowding, meanRoot: number, answers: number): void {
  crowding.calmAnswers = Math.min(longestMean, crowding.calmAnswers + answers)
  crowding.calmRoot += ((meanRoot - crowding.calmRoot) * answers) / crowding.calmAnswers
}

function beginLook({ window }: Crowding, aim: 'replace' | 'check', nowMs: number): void {
  Object.assign(window, newWindow(aim, nowMs))
}

function endWindow(crowding: Crowding, { nowMs, inFlight }: Sample, limit: number): void {
  const { window } = crowding
  window.untilMs = nowMs
  if (window.aim === 'replace') crowding.calmAnswers = 0
  learnCalm(crowding, window.meanRoot, window.answers)
  if (window.aim === 'first') {
    crowding.busy = inFlight
    crowding.nowRoot = crowding.calmRoot
    if (limit < smallLimit) beginLook(crowding, 'replace', nowMs)
    return
  }
  crowding.looks += 1
  crowding.sinceLook = 0
}

function learnInWindow(crowding: Crowding, sample: Sample, root: number, limit: number): void {
  const { window } = crowding
  if (!isOpen(window)) {
    learnCalm(crowding, root, 1)
    return
  }
  window.answers += 1
  window.meanRoot += (root - window.meanRoot) / window.answers
  const wanted = wantedAnswers[window.aim]
  if (window.answers >= wanted) endWindow(crowding, sample, limit)
}

function learnUsual(crowding: Crowding, { inFlight }: Sample, root: number, limit: number): void {
  crowding.answers += 1
  crowding.sinceLook += 1
  const memory = Math.min(memoryAnswers, priorAnswers + crowding.answers)
  crowding.nowRoot += (root - crowding.nowRoot) / memory
  crowding.busy += (inFlight - crowding.busy) / memory
  if (inFlight <= calmRatio * limit + calmSpare) crowding.calmRoot += (root - crowding.calmRoot) / calmMemory
  const below = noiseRatio * crowding.nowRoot - crowding.calmRoot
  if (below < 0) crowding.calmRoot += sinkRatio * below
}

function isLookDue(crowding: Crowding): boolean {
  const { looks, sinceLook } = crowding
  const interval = Math.min(longestInterval, shortestInterval * 2 ** looks)
  return sinceLook > interval && slowness(crowding) > spareRatio
}

/** A good answer came, of the host's usual pace. */
export function learnCrowding(crowding: Crowding, sample: Sample, limit: number): void {
  const { firstByteMs, nowMs } = sample
  if (firstByteMs === null) return
  const root = Math.sqrt(Math.max(shortestMs, firstByteMs))
  const { window } = crowding
  // The host was not small, it was at its beginning.
  if (window.aim === 'replace' && isOpen(window) && limit >= smallLimit) window.untilMs = window.sinceMs
  if (belongs(window, sample, limit)) {
    learnInWindow(crowding, sample, root, limit)
    return
  }
  learnUsual(crowding, sample, root, limit)
  if (!isOpen(window) && isLookDue(crowding)) beginLook(crowding, 'check', nowMs)
}

/** At least 1. */
export function enoughFor(crowding: Crowding, limit: number): number {
  const { window, busy } = crowding
  if (crowding.calmAnswers === 0) return Number.POSITIVE_INFINITY
  if (isOpen(window)) return lookLimit(limit)
  const work = busy / slowness(crowding)
  return Math.max(1, Math.round(leastRatio * limit), Math.round(spareRatio * work + spare))
}
