/**
 * The part of a host's answers that were refusals, over the last five minutes: a gauge, where the figure over the whole
 * run would still look well an hour after a host has begun to refuse everything. A ring of six stretches of 50 s, so
 * that each answer costs one addition; what is read covers five to six of them.
 */
export interface BlockRate {
  readonly answers: Uint32Array
  readonly blocked: Uint32Array
  /** Number of the latest stretch, counted from the origin of the clock. */
  stretch: number
}

export interface BlockRateGauge {
  readonly share: number
  /** Answers that it is taken over. */
  readonly answers: number
  readonly windowMs: number
}

const stretches = 6
const stretchMs = 50_000

export const newBlockRate = (): BlockRate => ({
  answers: new Uint32Array(stretches),
  blocked: new Uint32Array(stretches),
  stretch: 0,
})

/** Empties the stretches that have passed since. */
function turnTo(rate: BlockRate, nowMs: number): number {
  const stretch = Math.floor(nowMs / stretchMs)
  const passed = Math.min(stretches, stretch - rate.stretch)
  for (let n = 0; n < passed; n += 1) {
    const place = (stretch - n) % stretches
    rate.answers[place] = 0
    rate.blocked[place] = 0
  }
  rate.stretch = Math.max(rate.stretch, stretch)
  return rate.stretch % stretches
}

export function noteBlock(rate: BlockRate, nowMs: number, isBlocked: boolean): void {
  const place = turnTo(rate, nowMs)
  rate.answers[place] = (rate.answers[place] ?? 0) + 1
  if (isBlocked) rate.blocked[place] = (rate.blocked[place] ?? 0) + 1
}

export function readBlockRate(rate: BlockRate, nowMs: number): BlockRateGauge {
  turnTo(rate, nowMs)
  const answers = rate.answers.reduce((sum, count) => sum + count, 0)
  const blocked = rate.blocked.reduce((sum, count) => sum + count, 0)
  return { share: answers === 0 ? 0 : blocked / answers, answers, windowMs: stretches * stretchMs }
}
