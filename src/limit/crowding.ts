import type { Sample } from './limiter.ts'

/**
 * How many requests keep a host busy: beyond that many, the next one stands in its queue. A limit learnt from losses ends
 * where the queue ends, so that a host whose queue is as long as it has workers is given some 1.8 times what it works at.
 * That harms nobody while places are left; where they are few, others could use them.
 *
 *     R, n     latency with all that the host may have, and the running mean of the requests in flight meanwhile
 *     R0       latency with a little less than keeps it busy
 *     work     n R0 / R: those of them that are worked at or on their way, and do not wait (Little, 1961); but 0.5 L is
 *              believed instead up to 1.25 times that
 *     full     1.12 work + 0.4
 *     calm     0.95 work
 *
 * It bounds nothing, and is for choosing between hosts alone: a host that has enough goes after those that have not. And
 * the host breathes: `full` is enough for the time of 8 round trips, then `calm` for that of 6, and so on. Each half is
 * the measure of the other. Where both are equally fast there is no queue, so that work is all that was in flight, and
 * `full` leads upwards. Where R0 is too high, since it was learnt with a queue, the calm half is still faster than it, by
 * its 5 % at least: so R0 sinks until nothing waits. Where it is too low, by luck, the calm half is slower. In the sum
 * over many hosts the halves cancel.
 *
 * R and R0 are means of sqrt(first byte in ms), squared, over 512 answers. An answer belongs to the half in which its
 * request was granted, and counts when it comes after its end: those that a half would miss are the long ones, and the
 * calm one, as the shorter, would miss more of them (R0 came out 12 % too low, for every host).
 *
 * - R0 begins with the first 64 answers, when the limit is at most 6 (aimd.ts). Where the limit is still small, those have
 *   our own queue in them already: then L/2 is enough until 64 answers to requests granted with no more than that in
 *   flight are in, and they are R0.
 * - Nothing bounds the full half until R > R0 by four times the noise of both, which a host with a queue soon shows, nor
 *   when R < 1.04 R0 at the end of one: that host has grown.
 * - R0 goes down at once when R is below it by more than noise, as a baseline does.
 *
 * Why these numbers, from a simulation of 20 hosts of 1 to 64 workers under a cap of 256, on 30 seeds other than those of
 * the tests. Most of them small: the host that fares worst of the twenty has 0.92 of its fair share, where all hosts hold
 * all that their limits allow 0.69. Evenly spaced, where there is little to gain, 0.94.
 * - Roots: their mean is as steady as that of the times themselves for an exponential law, and as that of the logarithms
 *   for a skewed one, and grows nearly as the work does; logarithms make a queue 1.3 times as long as it is.
 * - 0.95: with 0.9 (0.90) the small hosts lose in the calm half, and with 1, where R0 need not sink, they keep more (0.91).
 * - 1.12: 1.08 is no worse, but R and R0 are known to 5 %, and a host without a queue would be held back where it should
 *   grow; with 1.16 queues keep the places (0.915). 0.4: of one or two workers 0.12 is no request, and they would never
 *   have another one.
 * - 8 and 6 round trips: with 4 calm ones 0.915; with 8 the worst of the evenly spaced ones has 0.93.
 * - 512: with 256 0.91; with 1,024 as much, but what has changed is seen later.
 * - 0.5 L: on a host with a queue as long as it has workers that is nearly what it works at, so that bad luck with R0 costs
 *   less; without it 0.90, and 0.81 in the worst run. Believed without the bound, queues keep more of the places.
 * - Four times the noise: with twice bad luck in the first hundred answers holds back a host that has only begun to grow
 *   (0.57 in the worst run).
 *
 * Known weakness: of a queue four times as long as the host has workers most is never found, since 0.5 L is in it. And a
 * host whose capacity doubles takes half a minute to have it all where places are few.
 */
export interface Crowding {
  /** n. */
  busy: number
  /** The root of R. */
  nowRoot: number
  /** That both are the means of. */
  answers: number
  /** The root of R0; 0 until it is known. */
  calmRoot: number
  /** That it is the mean of. */
  calmAnswers: number
  /** Where R0 comes from at first; it may have ended. */
  readonly window: Window
  /** It has shown a queue. */
  isCrowded: boolean
  readonly breath: Breath
}

interface Window {
  /** All that comes, or a look with half of the limit, which replaces it. */
  aim: 'first' | 'look'
  sinceMs: number
  /** Infinity while it is open. */
  untilMs: number
  answers: number
  meanRoot: number
}

/** The half that a host is in, and when the one before began. */
interface Breath {
  isCalm: boolean
  sinceMs: number
  lastSinceMs: number
  answers: number
  /** What was or is enough in the last calm half. */
  calmLevel: number
}

const fullRatio = 1.12
const fullSpare = 0.4
const calmRatio = 0.95
const memoryAnswers = 512
/** What n and R begin with counts as so many answers. */
const priorAnswers = 32
const windowAnswers = 64
/** Twice the limit that holds until a baseline is known: above it, that was below half of what the host takes. */
const smallLimit = 12
const halfLimit = 0.5
const trustRatio = 1.25
/** In a look a few more may be in flight, as they are whenever nobody else can use a place. */
const lookSlack = 1.15
const fullTrips = 8
const calmTrips = 6
/** Of few requests in flight some round trips are too few answers to tell anything. */
const fewestInFlight = 6
const clearSigmas = 4
const freeRatio = 1.04
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
  isCrowded: false,
  breath: {
    isCalm: false,
    sinceMs: Number.NEGATIVE_INFINITY,
    lastSinceMs: Number.NEGATIVE_INFINITY,
    answers: 0,
    calmLevel: 1,
  },
})

const isOpen = ({ untilMs }: Window): boolean => untilMs === Number.POSITIVE_INFINITY

/** R / R0. */
const slowness = ({ nowRoot, calmRoot }: Crowding): number => (nowRoot / calmRoot) ** 2

const memoryOf = ({ answers }: Crowding): number => Math.min(memoryAnswers, priorAnswers + answers)

/** R is above R0 by more than both are unsure: single answers differ by about their mean. */
function isClearlySlow(crowding: Crowding): boolean {
  const noise = Math.sqrt(1 / memoryOf(crowding) + 1 / crowding.calmAnswers)
  return slowness(crowding) > 1 + clearSigmas * noise
}

function workOf(crowding: Crowding, limit: number): number {
  const work = crowding.busy / slowness(crowding)
  return Math.max(work, Math.min(halfLimit * limit, trustRatio * work))
}

const lookLimit = (limit: number): number => Math.max(1, Math.floor(halfLimit * limit))

function belongs({ aim, sinceMs, untilMs }: Window, { startedMs, inFlight }: Sample, limit: number): boolean {
  if (startedMs < sinceMs || startedMs >= untilMs) return false
  return aim === 'first' || inFlight <= lookSlack * lookLimit(limit)
}

/** So many answers more, of this mean. */
function learnCalm(crowding: Crowding, meanRoot: number, answers: number): void {
  crowding.calmAnswers = Math.min(memoryAnswers, crowding.calmAnswers + answers)
  crowding.calmRoot += ((meanRoot - crowding.calmRoot) * answers) / crowding.calmAnswers
}

function endWindow(crowding: Crowding, { nowMs, inFlight }: Sample, limit: number): void {
  const { window } = crowding
  window.untilMs = nowMs
  crowding.calmAnswers = 0
  learnCalm(crowding, window.meanRoot, window.answers)
  if (window.aim === 'look') return
  crowding.busy = inFlight
  crowding.nowRoot = crowding.calmRoot
  if (limit < smallLimit) Object.assign(window, newWindow('look', nowMs))
}

function learnInWindow(crowding: Crowding, sample: Sample, root: number, limit: number): void {
  const { window } = crowding
  if (!isOpen(window)) {
    learnCalm(crowding, root, 1)
    return
  }
  window.answers += 1
  window.meanRoot += (root - window.meanRoot) / window.answers
  if (window.answers >= windowAnswers) endWindow(crowding, sample, limit)
}

function learnFull(crowding: Crowding, inFlight: number, root: number): void {
  crowding.answers += 1
  const memory = memoryOf(crowding)
  crowding.nowRoot += (root - crowding.nowRoot) / memory
  crowding.busy += (inFlight - crowding.busy) / memory
}

function learnInBreath(crowding: Crowding, { startedMs, inFlight }: Sample, root: number): void {
  const { isCalm, sinceMs, lastSinceMs, calmLevel } = crowding.breath
  if (startedMs < lastSinceMs) return
  const wasCalm = startedMs >= sinceMs ? isCalm : !isCalm
  if (!wasCalm) learnFull(crowding, inFlight, root)
  else if (inFlight <= calmLevel) learnCalm(crowding, root, 1)
  const below = noiseRatio * crowding.nowRoot - crowding.calmRoot
  if (below < 0) crowding.calmRoot += sinkRatio * below
}

function turn(crowding: Crowding, nowMs: number, limit: number): void {
  const { breath } = crowding
  breath.isCalm = !breath.isCalm
  if (breath.isCalm) breath.calmLevel = Math.max(1, Math.round(calmRatio * workOf(crowding, limit)))
  breath.lastSinceMs = breath.sinceMs
  breath.sinceMs = nowMs
  breath.answers = 0
}

function breathe(crowding: Crowding, nowMs: number, limit: number): void {
  const { breath, busy, isCrowded } = crowding
  const trips = breath.isCalm ? calmTrips : fullTrips
  breath.answers += 1
  let isOver = breath.answers >= trips * Math.max(fewestInFlight, busy)
  if (!breath.isCalm && !isCrowded && isClearlySlow(crowding)) {
    crowding.isCrowded = true
    isOver = true
  } else if (!breath.isCalm && isOver && slowness(crowding) < freeRatio) crowding.isCrowded = false
  if (isOver) turn(crowding, nowMs, limit)
}

/** A good answer came, of the host's usual pace. */
export function learnCrowding(crowding: Crowding, sample: Sample, limit: number): void {
  const { firstByteMs, nowMs } = sample
  if (firstByteMs === null) return
  const root = Math.sqrt(Math.max(shortestMs, firstByteMs))
  const { window } = crowding
  // The host was not small, it was at its beginning.
  if (window.aim === 'look' && isOpen(window) && limit >= smallLimit) window.untilMs = window.sinceMs
  if (belongs(window, sample, limit)) {
    learnInWindow(crowding, sample, root, limit)
    return
  }
  learnInBreath(crowding, sample, root)
  breathe(crowding, nowMs, limit)
}

/** At least 1. */
export function enoughFor(crowding: Crowding, limit: number): number {
  const { window, breath, isCrowded } = crowding
  if (crowding.calmAnswers === 0) return Number.POSITIVE_INFINITY
  if (isOpen(window)) return lookLimit(limit)
  if (breath.isCalm) return breath.calmLevel
  if (!isCrowded) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.round(fullRatio * workOf(crowding, limit) + fullSpare))
}
