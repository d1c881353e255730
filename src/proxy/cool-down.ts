/**
 * How long an exit that fails is left alone.
 *
 *     length   min(2 s x 2^step, max(15 s, age of the trouble / 4), 5 min), times 1 to 1.25 at random
 *
 * Each cool-down ends with one probe: a good answer ends the trouble, a bad one is the next step. Doubling alone would
 * find a proxy back after as long again as it was away; a quarter of the age finds it within a quarter. The random part
 * keeps exits that failed together from being probed together.
 */
export interface CoolDown {
  /** When the trouble began. */
  readonly sinceMs: number
  /** When the present cool-down began: what was under way then adds no step. */
  readonly begunMs: number
  readonly untilMs: number
  readonly step: number
}

const firstMs = 2_000
const shortestCeilingMs = 15_000
const agePart = 1 / 4
const longestMs = 300_000
const mostJitter = 0.25

export function nextCoolDown(last: CoolDown | null, nowMs: number, random: () => number): CoolDown {
  const sinceMs = last?.sinceMs ?? nowMs
  const step = (last?.step ?? -1) + 1
  const ceilingMs = Math.max(shortestCeilingMs, (nowMs - sinceMs) * agePart)
  const lengthMs = Math.min(firstMs * 2 ** step, ceilingMs, longestMs) * (1 + mostJitter * random())
  return { sinceMs, begunMs: nowMs, untilMs: nowMs + lengthMs, step }
}
