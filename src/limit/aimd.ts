import { isKnown, meanLatencyMs } from './baseline.ts'
import { type Crowding, enoughFor, learnCrowding, newCrowding } from './crowding.ts'
import { beginDip, type Dip, endsDip } from './dip.ts'
import { isLoss, type LimiterFactory, type Sample } from './limiter.ts'
import { endOutage, newOutage, type Outage, pauseIfBad } from './outage.ts'
import { endLook, forgetRoutes, learnRoute, newRoutes, type Routes, routesRatio } from './routes.ts'

/**
 * Additive increase, multiplicative decrease (Chiu and Jain, 1989), for the number of requests in flight on a host.
 * Losses cut; latency only holds: it never cuts, since clients that cut on latency are unfair to each other when
 * they know different baselines, and collapse to 1 when the host becomes slower for good.
 *
 *     L        the limit, a real number; gates see floor(L)
 *     t_cut    time of the last cut; answers to requests granted before it teach nothing about L: one cut a round trip
 *     proven   L at the last cut that came after at least L good answers: the last limit that worked
 *     r        latency over that of the unloaded host, on the same route (baseline.ts, routes.ts)
 *
 *     refused, timeout   L = 0.85 L, at least 1; ends slow start, but not a dip: a host that refuses even a little is
 *                        not to be given all of L because of that. Not a time-out in which our own loop was blocked
 *     good, r > 4        no growth. After 30 s of that: a dip (dip.ts), then L is at most 4 L / r
 *     good, used         used: in flight >= 0.8 floor(L) when granted
 *       slow start       L += 1, doubles each round trip; ends at a cut, at its goal, or when r > 2
 *       searching        L += 1/L, one a round trip: for the first 5 cuts, and above 1.25 proven + 2
 *       otherwise        L += 1 / max(L, 60, 200/L): a probe for more, paid for by 60 good answers
 *     error              nothing: no cut, no growth; but see `holdMs`
 *     good, no page      a 404 shows that the host is there, a 403 not even that it would answer anybody: neither its
 *                        latency nor its coming counts, as both are often those of a much smaller task
 *
 * Why these numbers, from a simulation of M/M/c hosts with queues of c, 0 and without end, 20 seeds each:
 * - 0.85: 0.8 costs 3 % of a host without a queue; 0.9 refuses half as much again when capacity falls.
 * - 60 answers a step: with one step a round trip a host with one worker refuses 22-40 %. 200/L: small hosts, more.
 * - 5 cuts at one step a round trip: newcomers catch up with those who were there first in 6 s instead of 25 s.
 * - 4: a full queue as long as the host has workers is r = 2.5, with noise 3.5. Below 4 some client holds while others
 *   take its share; without any hold the limit on a host that queues for ever grows for ever.
 * - 0.8: an unused limit does not grow, so a burst after idling is at most 1.25 of what was proven.
 * - 6 before the baseline is known: or the baseline is the queue that we make ourselves.
 *
 * Known weakness: on a host that queues without end and never refuses, clients that came early know the true baseline
 * and get more than those who came late (Jain index 0.84 of 4).
 */
export interface AimdOptions {
  /** First limit. */
  readonly start: number
  /** Never more. */
  readonly max: number
}

const cutRatio = 0.85
const usedRatio = 0.8
const endOfSlowStartRatio = 2
const holdRatio = 4
const longestHoldMs = 30_000
const searchingCuts = 5
const learningLimit = 6

interface State {
  readonly options: AimdOptions
  readonly routes: Routes
  readonly crowding: Crowding
  readonly outage: Outage
  /** L. */
  limit: number
  reason: string
  isSlowStart: boolean
  /** Where slow start ends. */
  goal: number
  cutAtMs: number
  goodSinceCut: number
  provenLimit: number
  cuts: number
  /** How long growth has been held since the last cut or dip. */
  heldMs: number
  lastGoodMs: number
  dip: Dip | null
}

function moveTo(state: State, limit: number, why: string): void {
  const bounded = Math.min(state.options.max, Math.max(1, limit))
  if (Math.floor(bounded) !== Math.floor(state.limit)) state.reason = why
  state.limit = bounded
}

/** What held back growth, or looked at the host, begins anew. */
function endHold(state: State): void {
  state.heldMs = 0
  state.dip = null
}

function cut(state: State, { nowMs, startedMs, verdict }: Sample): void {
  if (startedMs < state.cutAtMs) return
  // The first cut proves little, but without any ceiling every limit would seem to be above the old one.
  if (state.goodSinceCut >= state.limit || state.provenLimit === 0) state.provenLimit = state.limit
  moveTo(state, state.limit * cutRatio, verdict === 'refused' ? 'refused' : 'timed out')
  state.cutAtMs = nowMs
  state.isSlowStart = false
  state.goodSinceCut = 0
  state.cuts += 1
  state.heldMs = 0
}

const backReason = 'the probe after the pause was answered'

/** After an outage the host is a new one with an old ceiling: from 1, quickly, to a little below that. */
function startAnew(state: State, probeStartedMs: number): void {
  moveTo(state, 1, backReason)
  state.isSlowStart = true
  state.goal = Math.max(2, cutRatio * state.provenLimit)
  state.cutAtMs = probeStartedMs
  state.goodSinceCut = 0
  endHold(state)
  forgetRoutes(state.routes)
}

/** Counts the time since the last answer, but not the time in which nothing was in flight. */
function hold(state: State, { nowMs, startedMs }: Sample, sinceMs: number): void {
  state.heldMs += nowMs - Math.max(sinceMs, startedMs)
  if (state.heldMs < longestHoldMs) return
  state.heldMs = 0
  state.dip = beginDip(state.limit, state.routes, nowMs)
  state.reason = 'a look at the host with little load'
}

function continueDip(state: State, dip: Dip, sample: Sample): void {
  if (!endsDip(dip, state.routes, sample)) return
  endHold(state)
  state.reason = 'the end of that look'
  const mostLimit = (holdRatio * state.limit) / endLook(state.routes)
  moveTo(state, Math.min(state.limit, mostLimit), 'at four times the unloaded latency')
}

function grow(state: State, inFlight: number): void {
  const { limit, options } = state
  if (inFlight < usedRatio * Math.floor(limit)) return
  if (!isKnown(state.routes.all) && limit >= Math.max(options.start, learningLimit)) return
  if (state.isSlowStart) {
    moveTo(state, limit + 1, 'slow start')
    if (state.limit >= state.goal) state.isSlowStart = false
  } else if (state.cuts <= searchingCuts || limit > 1.25 * state.provenLimit + 2)
    moveTo(state, limit + 1 / limit, 'searching')
  else moveTo(state, limit + 1 / Math.max(limit, 60, 200 / limit), 'trying one more')
}

function learn(state: State, sample: Sample): void {
  const { nowMs, startedMs, firstByteMs, stalled, inFlight, route = '' } = sample
  const sinceMs = state.lastGoodMs
  state.lastGoodMs = nowMs
  if (stalled) return
  if (firstByteMs !== null) learnRoute(state.routes, route, firstByteMs, state.limit)
  learnCrowding(state.crowding, sample, state.limit)
  if (startedMs < state.cutAtMs) return
  state.goodSinceCut += 1
  const ratio = routesRatio(state.routes)
  if (ratio > endOfSlowStartRatio) state.isSlowStart = false
  if (state.dip !== null) continueDip(state, state.dip, sample)
  else if (ratio > holdRatio) hold(state, sample, sinceMs)
  else grow(state, inFlight)
}

function answered(state: State, sample: Sample): void {
  if (sample.blocked === true) return
  const isBack = endOutage(state.outage, sample.startedMs)
  if (isBack) startAnew(state, sample.startedMs)
  if (sample.pageless === true) return
  learn(state, sample)
  // The first step of slow start comes with it, and is no reason for a limit that was higher.
  if (isBack) state.reason = backReason
}

function failed(state: State, sample: Sample, random: () => number): void {
  const before = Math.floor(state.limit)
  if (isLoss(sample)) cut(state, sample)
  const limit = Math.floor(state.limit)
  const why = pauseIfBad(state.outage, sample, limit, random)
  if (why !== null) state.reason = limit < before ? `${state.reason}: ${why}` : why
}

const newState = (options: AimdOptions): State => ({
  options,
  routes: newRoutes(),
  crowding: newCrowding(),
  outage: newOutage(),
  limit: Math.min(options.start, options.max),
  reason: 'start',
  isSlowStart: true,
  goal: Number.POSITIVE_INFINITY,
  cutAtMs: Number.NEGATIVE_INFINITY,
  goodSinceCut: 0,
  provenLimit: 0,
  cuts: 0,
  heldMs: 0,
  lastGoodMs: Number.NEGATIVE_INFINITY,
  dip: null,
})

export const aimd: LimiterFactory<AimdOptions> = (options, random) => {
  const state = newState(options)
  // Fields, not getters: each literal with getters has a hidden class of its own, some kilobytes for each host.
  const limiter = {
    limit: state.limit,
    readyAtMs: 0,
    probing: false,
    holdMs: 0,
    enough: Number.POSITIVE_INFINITY,
    reason: state.reason,
    observe(sample: Sample): void {
      if (sample.verdict === 'ignored') return
      if (sample.verdict === 'good') answered(state, sample)
      else failed(state, sample, random)
      limiter.limit = Math.floor(state.dip === null ? state.limit : Math.min(state.limit, state.dip.limit))
      limiter.readyAtMs = state.outage.readyAtMs
      limiter.probing = state.outage.probing
      limiter.holdMs = meanLatencyMs(state.routes.all)
      limiter.enough = enoughFor(state.crowding, state.limit)
      limiter.reason = state.reason
    },
  }
  return limiter
}
