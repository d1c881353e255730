import { describe, expect, test } from 'vitest'
import { aimd } from '../../src/limit/aimd.ts'
import type { Limiter, Sample } from '../../src/limit/limiter.ts'

const steady = (): number => 0.5

/** Answers by hand: granted `latencyMs` before `nowMs`, with the whole limit in flight. */
function answer(limiter: Limiter, nowMs: number, sample: Partial<Sample> = {}): void {
  const latencyMs = sample.firstByteMs ?? 100
  limiter.observe({
    ...{ verdict: 'good', firstByteMs: latencyMs, retryAfterMs: null, stalled: false },
    ...{ nowMs, startedMs: nowMs - latencyMs, inFlight: limiter.limit },
    ...sample,
  })
}

/** One answer each 100 ms, granted after all that came before; returns when it ends. */
function answers(limiter: Limiter, fromMs: number, count: number, sample: Partial<Sample> = {}): number {
  for (let n = 1; n <= count; n += 1) answer(limiter, fromMs + n * 100, { startedMs: fromMs + n * 100 - 99, ...sample })
  return fromMs + count * 100
}

/** At a limit of exactly `limit`, with a known baseline of 100 ms. */
function grownTo(limit: number): { limiter: Limiter; nowMs: number } {
  const limiter = aimd({ start: 2, max: limit }, steady)
  const nowMs = answers(limiter, 0, 64 + limit)
  expect(limiter.limit).toBe(limit)
  return { limiter, nowMs }
}

describe('losses', () => {
  test('thirty refusals of one round trip are one cut to 0.85 and one step of the back-off (L9)', () => {
    const { limiter, nowMs } = grownTo(30)
    const refused = { verdict: 'refused', startedMs: nowMs + 1, inFlight: 30 } as const
    for (let n = 0; n < 30; n += 1) answer(limiter, nowMs + 100, refused)
    expect(limiter.limit).toBe(25)
    expect(limiter.readyAtMs).toBe(nowMs + 100 + 1_050)
    // The probe is refused as well: the second step, not the thirty-first.
    const probedMs = limiter.readyAtMs + 10
    answer(limiter, probedMs, { verdict: 'refused', startedMs: probedMs - 10, inFlight: 1 })
    expect(limiter.readyAtMs).toBe(probedMs + 2_100)
  })

  test('an error is no cut', () => {
    const { limiter, nowMs } = grownTo(30)
    answer(limiter, nowMs + 100, { verdict: 'error' })
    expect(limiter.limit).toBe(30)
  })

  test('the permit of a bad answer is held as long as a good one takes', () => {
    const { limiter, nowMs } = grownTo(10)
    expect(limiter.holdMs).toBeCloseTo(100)
    answers(limiter, nowMs, 300, { firstByteMs: 300 })
    expect(limiter.holdMs).toBeCloseTo(300, 0)
  })
})

describe('growth', () => {
  test('is one per answer in slow start, but not above six before 64 answers are in', () => {
    const limiter = aimd({ start: 2, max: 100 }, steady)
    const nowMs = answers(limiter, 0, 63)
    expect(limiter.limit).toBe(6)
    answers(limiter, nowMs, 10)
    expect(limiter.limit).toBe(16)
  })

  test('needs 0.8 of the limit in flight', () => {
    const limiter = aimd({ start: 10, max: 100 }, steady)
    const nowMs = answers(limiter, 0, 200, { inFlight: 7 })
    expect(limiter.limit).toBe(10)
    answers(limiter, nowMs, 1, { inFlight: 8 })
    expect(limiter.limit).toBe(11)
  })

  test('is held while answers take more than four times the unloaded latency', () => {
    const limiter = aimd({ start: 2, max: 1_000 }, steady)
    const nowMs = answers(limiter, 0, 80)
    const slowMs = answers(limiter, nowMs, 60, { firstByteMs: 1_000 })
    const held = limiter.limit
    answers(limiter, slowMs, 100, { firstByteMs: 1_000 })
    expect(limiter.limit).toBe(held)
  })

  test('learns nothing from answers during which our own event loop was blocked', () => {
    const { limiter, nowMs } = grownTo(10)
    answers(limiter, nowMs, 200, { firstByteMs: 5_000, stalled: true })
    expect(limiter.holdMs).toBeCloseTo(100)
  })

  test('after 30 s of holding the host is looked at with little load, and the new latency is the baseline', () => {
    const limiter = aimd({ start: 2, max: 16 }, steady)
    let nowMs = answers(limiter, 0, 100)
    while (limiter.limit === 16 && nowMs < 60_000) nowMs = answers(limiter, nowMs, 1, { firstByteMs: 600 })
    expect(limiter.reason).toBe('a look at the host with little load')
    expect(limiter.limit).toBe(2)
    expect(nowMs).toBeGreaterThan(40_000)
    // What was granted with the old load says nothing about little load.
    answers(limiter, nowMs, 40, { firstByteMs: 600, inFlight: 16 })
    expect(limiter.limit).toBe(2)
    answers(limiter, nowMs + 4_000, 32, { firstByteMs: 600 })
    expect(limiter.limit).toBeGreaterThan(8)
  })

  test('such a look ends after ten seconds with eight answers, on a host where 32 would take minutes', () => {
    const limiter = aimd({ start: 2, max: 4 }, steady)
    let nowMs = answers(limiter, 0, 100)
    const slow = (): void => {
      nowMs += 5_000
      answer(limiter, nowMs, { firstByteMs: 4_999 })
    }
    while (limiter.limit === 4) slow()
    for (let n = 0; n < 7; n += 1) slow()
    expect(limiter.limit).toBe(1)
    slow()
    expect(limiter.limit).toBe(4)
  })
})

describe('the pause', () => {
  const bad = { verdict: 'error' } as const

  test('begins after as many bad answers in a row as the limit, at least three', () => {
    const limiter = aimd({ start: 2, max: 100 }, steady)
    answers(limiter, 0, 2, bad)
    expect(limiter.readyAtMs).toBe(0)
    answers(limiter, 200, 1, bad)
    expect(limiter.readyAtMs).toBe(300 + 1_050)
    expect(limiter.probing).toBe(true)
    expect(limiter.reason).toBe('3 bad answers in a row')
  })

  test('doubles with each bad probe up to four seconds, or an eighth of the outage', () => {
    const limiter = aimd({ start: 2, max: 100 }, steady)
    let nowMs = answers(limiter, 0, 3, bad)
    const lengths: number[] = []
    for (let n = 0; n < 40; n += 1) {
      lengths.push(Math.round((limiter.readyAtMs - nowMs) / 1.05))
      nowMs = limiter.readyAtMs + 10
      answer(limiter, nowMs, { ...bad, startedMs: nowMs - 10 })
    }
    expect(lengths.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 4_000, 4_000])
    expect(lengths.at(-1)).toBeGreaterThan(30_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(300_000)
  })

  test('is made longer, and counts no step, by a Retry-After of a request from before it', () => {
    const limiter = aimd({ start: 2, max: 100 }, steady)
    const nowMs = answers(limiter, 0, 3, bad)
    answer(limiter, nowMs + 50, { ...bad, startedMs: nowMs - 50, retryAfterMs: 9_000 })
    expect(limiter.readyAtMs).toBe(nowMs + 50 + 9_000)
  })

  test('ends with one good probe: from 1, in slow start, to a little below what had worked', () => {
    const { limiter, nowMs } = grownTo(20)
    answers(limiter, nowMs, 1, { verdict: 'refused', retryAfterMs: 1_000 })
    const probedMs = limiter.readyAtMs + 100
    answer(limiter, probedMs)
    expect(limiter.probing).toBe(false)
    expect(limiter.limit).toBe(2)
    answers(limiter, probedMs, 15)
    expect(limiter.limit).toBe(17)
    answers(limiter, probedMs + 1_500, 4)
    expect(limiter.limit).toBe(17)
  })

  test('is not ended by a good answer to a request from before it', () => {
    const limiter = aimd({ start: 2, max: 100 }, steady)
    const nowMs = answers(limiter, 0, 3, bad)
    answer(limiter, nowMs + 10, { startedMs: nowMs - 50 })
    expect(limiter.probing).toBe(true)
  })
})
