import { describe, expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createLaneStats, type LaneStats, laneViewOf, noteAnswer, noteLimit } from '../../src/gate/lane-stats.ts'
import { createRandom } from '../sim/random.ts'
import { good } from './rig.ts'

const viewOf = (stats: LaneStats) => laneViewOf('shop.test' as HostKey, stats, undefined, 0, 0)

describe('the history of a limit', () => {
  test('joins the steps that go one way for one reason', () => {
    const stats = createLaneStats(2)
    for (let limit = 3; limit <= 20; limit += 1) noteLimit(stats, limit * 100, limit, 'slow start')
    noteLimit(stats, 2_100, 17, 'refused')
    noteLimit(stats, 2_200, 18, 'searching')
    expect(viewOf(stats).changes).toEqual([
      { atMs: 300, untilMs: 2_000, from: 2, to: 20, reason: 'slow start' },
      { atMs: 2_100, untilMs: 2_100, from: 20, to: 17, reason: 'refused' },
      { atMs: 2_200, untilMs: 2_200, from: 17, to: 18, reason: 'searching' },
    ])
  })

  test('keeps the latest, and counts what it dropped', () => {
    const stats = createLaneStats(2)
    for (let n = 0; n < 1_000; n += 1) noteLimit(stats, n, n % 2 === 0 ? 3 : 2, n % 2 === 0 ? 'searching' : 'refused')
    const { changes, droppedChanges, limit } = viewOf(stats)
    expect([changes.length, droppedChanges, limit]).toEqual([64, 936, 2])
    expect(changes.at(-1)?.atMs).toBe(999)
  })
})

describe('the latency of a host', () => {
  test('is a sample of the whole run, not of its beginning or its end', () => {
    const stats = createLaneStats(2)
    const random = createRandom(3)
    for (let n = 0; n < 100_000; n += 1) noteAnswer(stats, { ...good, firstByteMs: n }, 0, random)
    const { firstByteP50Ms, firstByteP95Ms } = viewOf(stats)
    expect(firstByteP50Ms).toBeGreaterThan(35_000)
    expect(firstByteP50Ms).toBeLessThan(65_000)
    expect(firstByteP95Ms).toBeGreaterThan(85_000)
    expect(stats.firstByteMs.length).toBe(128)
  })

  test('is not that of our own loop while it was blocked', () => {
    const stats = createLaneStats(2)
    noteAnswer(stats, { ...good, firstByteMs: 5_000, stalled: true }, 0, () => 0)
    expect(viewOf(stats)).toMatchObject({ firstByteP50Ms: null, firstByteP95Ms: null, answers: { good: 1 } })
    noteAnswer(stats, { ...good, firstByteMs: 100 }, 0, () => 0)
    expect(viewOf(stats)).toMatchObject({ firstByteP50Ms: 100, firstByteP95Ms: 100, answers: { good: 2 } })
  })

  test('is unknown until a good answer came', () => {
    const stats = createLaneStats(2)
    noteAnswer(stats, { ...good, verdict: 'refused', firstByteMs: 2 }, 0, () => 0)
    expect(viewOf(stats)).toMatchObject({ firstByteP50Ms: null, firstByteP95Ms: null, answers: { refused: 1 } })
  })
})
