import { expect, test } from 'vitest'
import { type Ended, type Vitals, watchTask } from '../../src/parse/watch.ts'
import { createSimClock } from '../sim/clock.ts'

/**
 * A thread that begins after a while, may load something under a limit of 10 s before its page, which has one of 1 s, and
 * gains CPU and idle time at these rates.
 */
async function watched(thread: {
  readonly beginsMs?: number
  readonly loadsMs?: number
  readonly cpuShare?: number
  readonly idleShare?: number
  readonly heldBytes?: number
  readonly forMs: number
}): Promise<{ readonly ended: (Ended & { readonly atMs: number }) | null }> {
  const { beginsMs = 10, loadsMs = 0, cpuShare = 0, idleShare = 0, heldBytes = 0, forMs } = thread
  const clock = createSimClock()
  const state: { ended: (Ended & { readonly atMs: number }) | null } = { ended: null }
  const isLoading = (): boolean => clock.nowMs() < beginsMs + loadsMs
  const startedAtMs = (): number => (clock.nowMs() < beginsMs ? 0 : beginsMs + (isLoading() ? 0 : loadsMs))
  const ranMs = (): number => (startedAtMs() === 0 ? 0 : clock.nowMs() - startedAtMs())
  const read = async (): Promise<Vitals> => ({ heldBytes, cpuMs: ranMs() * cpuShare, idleMs: ranMs() * idleShare })
  using _watching = watchTask({
    clock,
    startedAtMs,
    limitMs: () => (isLoading() ? 10_000 : 1_000),
    read,
    ceilingBytes: 100,
    end: why => {
      state.ended ??= { ...why, atMs: clock.nowMs() }
    },
  })
  for (let atMs = 0; atMs < forMs; atMs += 10) await clock.advance(10)
  return state
}

test.each([
  ['works all the time', { cpuShare: 1 }, 1_010],
  ['waits for something all the time', { idleShare: 1 }, 1_010],
  ['works and waits', { cpuShare: 0.5, idleShare: 0.5 }, 1_010],
  ['begins late', { cpuShare: 1, beginsMs: 20_000 }, 21_000],
])('a page that %s is ended when its time is up', async (_, thread, atMs) => {
  const { ended } = await watched({ ...thread, forMs: 25_000 })
  expect(ended).toMatchObject({ code: 'PARSE_TIMEOUT', what: 'took longer than 1000 ms' })
  expect(ended?.atMs).toBeGreaterThanOrEqual(atMs)
  expect(ended?.atMs).toBeLessThanOrEqual(atMs + 60)
})

test('a page whose thread gets half of a core has twice the time, and none has more than four times', async () => {
  const half = await watched({ cpuShare: 0.5, forMs: 10_000 })
  expect(half.ended?.atMs).toBeGreaterThanOrEqual(2_010)
  expect(half.ended?.atMs).toBeLessThanOrEqual(2_070)
  const none = await watched({ forMs: 10_000 })
  expect(none.ended?.atMs).toBeGreaterThanOrEqual(4_010)
  expect(none.ended?.atMs).toBeLessThanOrEqual(4_070)
})

test('what a thread loads before a page has a limit of its own, and no part in the time of the page', async () => {
  const loaded = await watched({ cpuShare: 1, loadsMs: 9_000, forMs: 15_000 })
  expect(loaded.ended).toMatchObject({ what: 'took longer than 1000 ms' })
  expect(loaded.ended?.atMs).toBeGreaterThanOrEqual(10_010)
  expect(loaded.ended?.atMs).toBeLessThanOrEqual(10_070)
  const endless = await watched({ cpuShare: 1, loadsMs: 60_000, forMs: 15_000 })
  expect(endless.ended).toMatchObject({ what: 'took longer than 10000 ms' })
})

test('a page within its time and its memory is left alone', async () => {
  expect((await watched({ cpuShare: 1, heldBytes: 100, forMs: 1_000 })).ended).toBeNull()
})

test('a page whose thread holds more than it may is ended at once', async () => {
  const { ended } = await watched({ heldBytes: 101, forMs: 1_000 })
  expect(ended).toMatchObject({ code: 'PARSE_CRASHED' })
  expect(ended?.atMs).toBeLessThanOrEqual(110)
})

test('a task that no thread begins with is given up', async () => {
  const { ended } = await watched({ beginsMs: Number.POSITIVE_INFINITY, forMs: 40_000 })
  expect(ended).toMatchObject({ code: 'PARSE_CRASHED', what: expect.stringContaining('no thread') })
  expect(ended?.atMs).toBeGreaterThanOrEqual(30_000)
})
