import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Outcome, readingOf } from '../../src/core/outcome.ts'
import { newBlockRate, noteBlock, noteUnmasked, readBlockRate } from '../../src/gate/block-rate.ts'
import { createLaneStats, laneViewOf, noteAnswer, noteBlockPage } from '../../src/gate/lane-stats.ts'
import { createRandom } from '../sim/random.ts'
import { adaptive, createRig, good, host, refused } from './rig.ts'

const timing = { connectMs: 1, firstByteMs: 2, totalMs: 3 }

test('the block rate is that of the last five minutes, and says so', () => {
  const rate = newBlockRate()
  for (let second = 0; second < 600; second += 1) noteBlock(rate, second * 1_000, second >= 300 && second % 2 === 0)
  const { share, answers, windowMs } = readBlockRate(rate, 599_000)
  expect([share, answers, windowMs]).toEqual([0.5, 300, 300_000])
})

test('after a long silence nothing is known', () => {
  const rate = newBlockRate()
  noteBlock(rate, 1_000_000_000, true)
  expect(readBlockRate(rate, 1_000_000_000).share).toBe(1)
  expect(readBlockRate(rate, 1_000_400_000)).toMatchObject({ share: 0, answers: 0 })
})

test('a page whose text says that it is a block counts with its answer, however late it was read', () => {
  const rate = newBlockRate()
  noteBlock(rate, 10_000, false)
  noteBlock(rate, 200_000, false)
  noteUnmasked(rate, 10_000)
  expect(readBlockRate(rate, 200_000)).toMatchObject({ share: 0.5, answers: 2 })
  expect(readBlockRate(rate, 310_000)).toMatchObject({ share: 0, answers: 1 })
  noteUnmasked(rate, 10_000)
  expect(readBlockRate(rate, 310_000)).toMatchObject({ share: 0, answers: 1 })
})

test('a block page counts once, and teaches the limiter nothing', () => {
  using rig = createRig(adaptive)
  const permit = rig.gate.acquire(host)
  permit.unmask()
  permit.settle({ ...good, route: 'de' })
  const before = rig.gate.views()[0]
  permit.unmask()
  permit.unmask()
  const [view] = rig.gate.views()
  expect(before).toMatchObject({ blocked: 0, blockRate: { share: 0, answers: 1 } })
  expect(view).toMatchObject({
    blocked: 1,
    blockRate: { share: 1, answers: 1 },
    blockRateByRoute: [{ route: 'de', share: 1, answers: 1 }],
    answers: { good: 1, refused: 0 },
    limit: before?.limit,
    pauses: 0,
  })
})

test('a host in trouble blocks nobody: 503s are in no block rate, 429s are', () => {
  using rig = createRig(adaptive)
  for (const [status, route] of [
    [503, 'de'],
    [503, 'fr'],
    [429, 'fr'],
  ] as const) {
    const outcome: Outcome = { kind: 'throttled', status, retryAfterMs: null, timing }
    rig.gate.acquire(host).settle(readingOf(outcome, false, route))
  }
  const [view] = rig.gate.views()
  expect(view).toMatchObject({ answers: { refused: 3 }, blocked: 1 })
  expect(view?.blockRate).toMatchObject({ share: 1 / 3, answers: 3 })
  expect(view?.blockRateByRoute).toMatchObject([
    { route: 'fr', share: 0.5, answers: 2 },
    { route: 'de', share: 0, answers: 1 },
  ])
})

test('it counts what a list of the answers would', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60_000), fc.boolean())), steps => {
      const rate = newBlockRate()
      const seen: { readonly atMs: number; readonly isBlocked: boolean }[] = []
      let nowMs = 0
      for (const [afterMs, isBlocked] of steps) {
        nowMs += afterMs
        noteBlock(rate, nowMs, isBlocked)
        seen.push({ atMs: nowMs, isBlocked })
      }
      const sinceMs = (Math.floor(nowMs / 50_000) - 5) * 50_000
      const recent = seen.filter(({ atMs }) => atMs >= sinceMs)
      const { answers, share } = readBlockRate(rate, nowMs)
      expect(answers).toBe(recent.length)
      expect(Math.round(share * answers)).toBe(recent.filter(({ isBlocked }) => isBlocked).length)
    }),
  )
})

describe('the block rate of a host by the way that requests took', () => {
  const random = createRandom(1)
  const routesOf = (stats: ReturnType<typeof createLaneStats>, nowMs: number) =>
    laneViewOf(host, stats, undefined, 0, nowMs).blockRateByRoute

  test('is that of the host while there is no proxy', () => {
    const stats = createLaneStats(2)
    for (let nth = 0; nth < 10; nth += 1) noteAnswer(stats, nth < 4 ? refused : good, nth, random)
    expect(routesOf(stats, 10)).toEqual([{ route: 'direct', share: 0.4, answers: 10, windowMs: 300_000 }])
  })

  test('shows which region is blocked, over the same window', () => {
    const stats = createLaneStats(2)
    for (let nth = 0; nth < 10; nth += 1) noteAnswer(stats, good, nth, random)
    for (let nth = 0; nth < 20; nth += 1) {
      noteAnswer(stats, { ...refused, route: 'de' }, 100_000, random)
      noteAnswer(stats, { ...good, route: 'fr', ...(nth === 0 && { blocked: true }) }, 100_000, random)
    }
    noteAnswer(stats, { ...good, verdict: 'ignored', route: 'fr' }, 100_000, random)
    expect(routesOf(stats, 100_000)).toEqual([
      { route: 'de', share: 1, answers: 20, windowMs: 300_000 },
      { route: 'fr', share: 0.05, answers: 20, windowMs: 300_000 },
      { route: 'direct', share: 0, answers: 10, windowMs: 300_000 },
    ])
    expect(routesOf(stats, 320_000).map(({ route }) => route)).toEqual(['de', 'fr'])
  })

  test('counts the blocks that a region is blamed for, and no other answers that teach nothing', () => {
    const stats = createLaneStats(2)
    for (let nth = 0; nth < 4; nth += 1) {
      noteAnswer(stats, { ...good, route: 'fr' }, nth, random)
      noteAnswer(stats, { ...good, verdict: 'ignored', blocked: true, route: 'de' }, nth, random)
      noteAnswer(stats, { ...good, verdict: 'ignored', route: 'de' }, nth, random)
    }
    expect(laneViewOf(host, stats, undefined, 0, 4)).toMatchObject({
      blocked: 4,
      blockRate: { share: 0.5, answers: 8 },
      blockRateByRoute: [
        { route: 'fr', share: 0, answers: 4 },
        { route: 'de', share: 1, answers: 4 },
      ],
    })
  })

  test('has the pages that were blocks by their text, also from before the first proxy', () => {
    const stats = createLaneStats(2)
    noteAnswer(stats, good, 0, random)
    noteAnswer(stats, good, 0, random)
    noteBlockPage(stats, good, 0)
    noteAnswer(stats, { ...good, route: 'de' }, 1, random)
    noteBlockPage(stats, { ...good, route: 'de' }, 1)
    expect(routesOf(stats, 1)).toMatchObject([
      { route: 'direct', share: 0.5, answers: 2 },
      { route: 'de', share: 1, answers: 1 },
    ])
  })

  test('keeps 64 routes apart, however many there are', () => {
    const stats = createLaneStats(2)
    for (let nth = 0; nth < 1_000; nth += 1) noteAnswer(stats, { ...good, route: `exit ${nth}` }, 0, random)
    const routes = routesOf(stats, 0)
    expect(routes.length).toBe(64)
    expect(routes[0]).toMatchObject({ route: 'others', answers: 937 })
  })
})
