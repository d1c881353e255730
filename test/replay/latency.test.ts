import { describe, expect, test } from 'vitest'
import { createLatency, drawMs, hasTimes, lognormalOf } from '../../src/replay/latency.ts'
import type { RecordedAttempt } from '../../src/replay/recording.ts'

const attempt = (nth: number, firstByteMs: number, host = 'a.test'): RecordedAttempt => ({
  ...{ kind: 'page', nth, url: `https://${host}/${nth}`, page: null, at: '', tookMs: firstByteMs + 15 },
  ...{ atByte: 0, headBytes: 0, bodyBytes: 0 },
  timing: { connectMs: 5, firstByteMs, totalMs: firstByteMs + 15 },
})

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN

describe('a lognormal distribution', () => {
  const given = { mu: Math.log(80), sigma: 0.6, longestMs: 1e9 }
  const draws = Array.from({ length: 4_000 }, (_, nth) => drawMs(given, 7, `draw ${nth}`))

  test('is found again from its own draws', () => {
    const found = lognormalOf(draws)
    expect(found.mu).toBeCloseTo(given.mu, 1)
    expect(found.sigma).toBeCloseTo(given.sigma, 1)
  })

  test('has its median and its tail where they belong', () => {
    expect(quantile(draws, 0.5) / 80).toBeCloseTo(1, 1)
    // z of the 95th percentile is 1.645.
    expect(quantile(draws, 0.95) / (80 * Math.exp(0.6 * 1.645))).toBeCloseTo(1, 1)
  })

  test('gives nothing above the longest time that was seen', () => {
    const cut = Array.from({ length: 1_000 }, (_, nth) => drawMs({ ...given, longestMs: 120 }, 7, `draw ${nth}`))
    expect(Math.max(...cut)).toBe(120)
  })
})

describe('how late an answer is', () => {
  const slow = Array.from({ length: 40 }, (_, nth) => attempt(nth, 900 + nth, 'slow.test'))
  const quick = Array.from({ length: 40 }, (_, nth) => attempt(100 + nth, 9 + nth / 10, 'quick.test'))
  const all = [...slow, ...quick]

  test('is as recorded, connection, first byte and body apart', () => {
    expect(createLatency('recorded', all, 1)(attempt(3, 70))).toEqual({ connectMs: 5, firstByteMs: 70, bodyMs: 10 })
  })

  test('is what an attempt took in all where no answer came', () => {
    const dead: RecordedAttempt = {
      ...{ kind: 'barren', nth: 1, url: 'https://a.test/', page: null, at: '', timing: null, tookMs: 300 },
      outcome: { kind: 'gone', status: 404, timing: { connectMs: 0, firstByteMs: 0, totalMs: 0 } },
    }
    expect(createLatency('recorded', all, 1)(dead).firstByteMs).toBe(300)
    expect(createLatency('modelled', all, 1)(dead).firstByteMs).toBe(300)
  })

  test('modelled, follows the host, and the seed alone', () => {
    const modelled = createLatency('modelled', all, 1)
    for (const each of slow) expect(modelled(each).firstByteMs).toBeGreaterThan(800)
    for (const each of quick) expect(modelled(each).firstByteMs).toBeLessThan(20)
    const again = createLatency('modelled', all, 1)
    expect(all.toReversed().map(again).toReversed()).toEqual(all.map(modelled))
    expect(all.map(createLatency('modelled', all, 2))).not.toEqual(all.map(modelled))
  })

  test('is none where none is wanted', () => {
    expect(createLatency('none', all, 1)(attempt(3, 70))).toEqual({ connectMs: 0, firstByteMs: 0, bodyMs: 0 })
  })

  test('is known of archives with times alone', () => {
    expect(hasTimes(all)).toBe(true)
    expect(hasTimes(all.map(each => ({ ...each, timing: null })))).toBe(false)
  })
})
