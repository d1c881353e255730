import { describe, expect, test } from 'vitest'
import { amendSample, latencyP95Ms, newHealth, noteSample, type SampleKind, scoreOf } from '../../src/proxy/health.ts'

const budgetMs = 20_000
const scoreAfter = (kinds: readonly SampleKind[], latencyMs = 100): number => {
  const health = newHealth()
  for (const kind of kinds) noteSample(health, kind, kind === 'good' ? latencyMs : null, 0)
  return scoreOf(health, budgetMs, 1_000)
}
const many = (kind: SampleKind, count: number): SampleKind[] => Array(count).fill(kind)

describe('the score of an exit', () => {
  test('is 1 for one that was never used, and for one that does well', () => {
    expect(scoreAfter([])).toBe(1)
    expect(scoreAfter(many('good', 32))).toBe(1)
  })

  test('falls least for a lost connection, more for a lie, and most for a time-out', () => {
    const scores = (['good', 'connect', 'lie', 'timeout'] as const).map(kind => scoreAfter([...many('good', 5), kind]))
    expect(scores).toEqual([...scores].sort((left, right) => right - left))
    expect(new Set(scores).size).toBe(4)
  })

  test('is not spoilt by one fault of a newcomer', () => expect(scoreAfter(['connect'])).toBeGreaterThan(0.5))

  test('is nearly nothing where everything hangs', () => expect(scoreAfter(many('timeout', 32))).toBeLessThan(0.1))

  test('falls with latency beyond a quarter of the budget, to a quarter of itself', () => {
    expect(scoreAfter(many('good', 20), 5_000)).toBe(1)
    expect(scoreAfter(many('good', 20), 12_500)).toBeCloseTo(0.625)
    expect(scoreAfter(many('good', 20), 60_000)).toBeCloseTo(0.25)
  })

  test('forgets: 32 good attempts, or five minutes, make up for anything', () => {
    expect(scoreAfter([...many('timeout', 32), ...many('good', 32)])).toBe(1)
    const health = newHealth()
    noteSample(health, 'timeout', null, 0)
    expect(scoreOf(health, budgetMs, 299_999)).toBeLessThan(1)
    expect(scoreOf(health, budgetMs, 300_000)).toBe(1)
  })

  test('takes a page back that turned out to be none', () => {
    const health = newHealth()
    noteSample(health, 'good', 100, 0)
    amendSample(health, 'lie')
    expect(scoreOf(health, budgetMs, 0)).toBeLessThan(0.5)
    expect(latencyP95Ms(health, 0)).toBe(100)
  })
})
