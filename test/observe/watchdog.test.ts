import { describe, expect, test } from 'vitest'
import { createEvents } from '../../src/core/events.ts'
import type { Standstill } from '../../src/core/standstill.ts'
import { gatherUnderWay } from '../../src/observe/under-way.ts'
import { createWatchdog } from '../../src/observe/watchdog.ts'
import { taskOf } from '../frontier/tasks.ts'
import { createSimClock } from '../sim/clock.ts'

let runs = 0

function kit() {
  const clock = createSimClock()
  runs += 1
  const events = createEvents(`watchdog-${runs}`)
  const underWay = gatherUnderWay(events.run, clock.nowMs)
  const told: Standstill[] = []
  const watchdog = createWatchdog({
    clock,
    underWay,
    queued: () => 7,
    waits: () => ['a.test: paused 90 s: Retry-After'],
    tell: standstill => told.push(standstill),
  })
  const fetched = (task: ReturnType<typeof taskOf>): void =>
    events.emit('task.fetched', () => ({
      task,
      outcome: 'page',
      code: null,
      status: 200,
      timing: null,
      bodyBytes: 1,
      heldMs: 1,
    }))
  return {
    clock,
    events,
    watchdog,
    told,
    fetched,
    [Symbol.dispose]() {
      watchdog[Symbol.dispose]()
      underWay[Symbol.dispose]()
    },
  }
}

describe('a run in which nothing moves', () => {
  test('is told after half a minute, with each URL, its stage and how long it has been there', async () => {
    using it = kit()
    const [stuck, parsed] = [taskOf('http://a.test/stuck'), taskOf('http://b.test/parsed')]
    it.events.emit('visit.started', () => ({ task: stuck }))
    await it.clock.advance(4_000)
    it.events.emit('visit.started', () => ({ task: parsed }))
    await it.clock.advance(1_000)
    it.fetched(parsed)
    await it.clock.advance(29_000)
    expect(it.told).toEqual([])
    expect(it.watchdog.read()).toBeNull()
    await it.clock.advance(2_000)
    expect(it.told).toEqual([
      {
        quietMs: 30_000,
        underWay: 2,
        oldest: [
          { url: stuck.url, stage: 'fetch', ageMs: 35_000 },
          { url: parsed.url, stage: 'parse', ageMs: 30_000 },
        ],
        queued: 7,
        waits: [],
      },
    ])
    expect(it.watchdog.read()).toMatchObject({ quietMs: 31_000, underWay: 2 })
  })

  test('is told again each time that has lasted twice as long, and from the start after it moved', async () => {
    using it = kit()
    const task = taskOf('http://a.test/')
    it.events.emit('visit.started', () => ({ task }))
    await it.clock.advance(300_000)
    expect(it.told.map(({ quietMs }) => quietMs)).toEqual([30_000, 60_000, 120_000, 240_000])
    it.events.emit('visit.ended', () => ({ task }))
    await it.clock.advance(31_000)
    expect(it.told.length).toBe(5)
  })

  test('with nothing under way says what the hosts wait for', async () => {
    using it = kit()
    await it.clock.advance(31_000)
    expect(it.told).toMatchObject([{ underWay: 0, queued: 7, waits: ['a.test: paused 90 s: Retry-After'] }])
  })

  test('is told after three seconds once it was asked to stop', async () => {
    using it = kit()
    const task = taskOf('http://a.test/')
    it.events.emit('visit.started', () => ({ task }))
    await it.clock.advance(1_000)
    it.watchdog.hurry()
    await it.clock.advance(3_000)
    expect(it.told).toMatchObject([{ quietMs: 3_000, oldest: [{ url: task.url, stage: 'fetch' }] }])
  })
})

test('a URL that moves on is not told, and one that ended is not named', async () => {
  using it = kit()
  const [slow, quick] = [taskOf('http://a.test/slow'), taskOf('http://a.test/quick')]
  it.events.emit('visit.started', () => ({ task: slow }))
  for (let nth = 0; nth < 10; nth += 1) {
    it.events.emit('visit.started', () => ({ task: quick }))
    await it.clock.advance(20_000)
    it.events.emit('visit.ended', () => ({ task: quick }))
  }
  expect(it.told).toEqual([])
  await it.clock.advance(31_000)
  expect(it.told).toMatchObject([{ underWay: 1, oldest: [{ url: slow.url }] }])
})
