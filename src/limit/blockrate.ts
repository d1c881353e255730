import { type AdaptiveOptions, createAdaptive, type Rule, type Step } from './adaptive.ts'
import { type AnswerWindow, beginWindow, countAnswer, newAnswerWindow, wasUsed } from './answer-window.ts'
import type { LimiterFactory, Sample } from './limiter.ts'

/**
 * Climbs until the share of blocked requests moves, steps back, and stays there: for hosts whose refusals say "too much
 * for one client" rather than "too much for the server", where each refusal is remembered against the client.
 *
 *     n, b     answers of the present stage (pages and bad ones), and how many of them were refused (429 and 503 alike,
 *              and a 403) or timed out
 *     n0, b0   the same of all stages that passed: the block rate that this host has anyway
 *     z        (b/n - b0/n0) / sqrt(p (1 - p) (1/n + 1/n0)), p = (b + b0)/(n + n0): test of two proportions
 *
 *     z > 3, or b/n > 0.2   L = 0.8 L, and held for a minute, twice as long each time this limit fails again, at most
 *                           16 min; looked at after each blocked answer from the fifth of a stage on
 *     a stage passed        before the first retreat L = 1.5 L, at least L + 1; afterwards, where the hold is over
 *                           and L was used, L = L + max(1, 0.05 L)
 *     stage                 max(30, 2 L) answers to requests granted under this limit
 *
 * 3 and not 2, since the test is made after each blocked answer, and the more often one looks the more often chance
 * looks back. What passed counts less with time (halved from 1,200 answers on), so that a host may change its manners,
 * and the bound of 0.2 keeps slow creeping from making any block rate the usual one.
 *
 * Known weakness: it is the slowest to come back. A host that was ill for a moment is taken to be smaller for a minute.
 */
const significantZ = 3
const tooManyShare = 0.2
const retreatRatio = 0.8
const shortestHoldMs = 60_000
const longestHoldMs = 960_000
const fewestAnswers = 5
const mostRemembered = 1_200

const stageLength = (limit: number): number => Math.max(30, 2 * limit)

interface Passed {
  answers: number
  bad: number
}

function zOf({ answers, bad }: AnswerWindow, passed: Passed): number {
  if (passed.answers === 0) return 0
  const pooled = (bad + passed.bad) / (answers + passed.answers)
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / answers + 1 / passed.answers))
  return spread === 0 ? 0 : (bad / answers - passed.bad / passed.answers) / spread
}

function createRule(): Rule {
  const stage = newAnswerWindow()
  const passed: Passed = { answers: 0, bad: 0 }
  let isClimbing = true
  let ceiling = Number.POSITIVE_INFINITY
  let holdMs = shortestHoldMs
  let heldUntilMs = Number.NEGATIVE_INFINITY

  function retreat(limit: number, nowMs: number): Step {
    holdMs = limit >= ceiling ? Math.min(longestHoldMs, 2 * holdMs) : shortestHoldMs
    ceiling = limit
    isClimbing = false
    heldUntilMs = nowMs + holdMs
    const blocked = Math.round((stage.bad / stage.answers) * 100)
    beginWindow(stage, nowMs)
    return { limit: limit * retreatRatio, reason: `${blocked} % blocked` }
  }

  function pass(limit: number, nowMs: number): Step | null {
    const { answers, bad } = stage
    const fading = passed.answers + answers > mostRemembered ? 0.5 : 1
    passed.answers = (passed.answers + answers) * fading
    passed.bad = (passed.bad + bad) * fading
    const mayGrow = wasUsed(stage) && nowMs >= heldUntilMs
    beginWindow(stage, nowMs)
    if (!mayGrow) return null
    if (isClimbing) return { limit: Math.max(limit + 1, 1.5 * limit), reason: 'climbing' }
    return { limit: limit + Math.max(1, 0.05 * limit), reason: 'no more blocked than before' }
  }

  function count(sample: Sample, limit: number, isBad: boolean): Step | null {
    if (!countAnswer(stage, sample, limit, isBad)) return null
    const { answers, bad } = stage
    const isTooMuch = zOf(stage, passed) > significantZ || bad > tooManyShare * answers
    if (isBad && answers >= fewestAnswers && isTooMuch) return retreat(limit, sample.nowMs)
    return answers >= stageLength(limit) ? pass(limit, sample.nowMs) : null
  }

  return {
    answered: (sample, limit) => count(sample, limit, false),
    lost: (sample, limit) => count(sample, limit, true),
    losesByBlocks: true,
    restarted() {
      beginWindow(stage, Number.NEGATIVE_INFINITY)
      isClimbing = true
      heldUntilMs = Number.NEGATIVE_INFINITY
    },
  }
}

export const blockrate: LimiterFactory<AdaptiveOptions> = (options, random) =>
  createAdaptive(options, createRule(), random)
