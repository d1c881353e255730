import { expect, test } from 'vitest'
import { createReadings } from '../../src/parse/readings.ts'
import { createSimClock } from '../sim/clock.ts'

/** Readings that are answered by hand, and ends that are noted with their time. */
function rig() {
  const clock = createSimClock()
  const readings = createReadings(clock)
  const startMs = clock.nowMs()
  const endedAtMs: number[] = []
  return {
    clock,
    readings,
    endedAtMs,
    end: () => void endedAtMs.push(clock.nowMs() - startMs),
    ask: () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      return { answer: resolve, fail: reject, reading: readings.take(() => promise) }
    },
  }
}

test('a thread of which nothing is being read ends at once', async () => {
  const { readings, endedAtMs, end, ask } = rig()
  const { answer, reading } = ask()
  answer(1)
  expect(await reading).toBe(1)
  readings.endSafely(end)
  expect(endedAtMs).toEqual([0])
})

test('no thread is ended while any is being read', async () => {
  const { clock, readings, endedAtMs, end, ask } = rig()
  const [one, other] = [ask(), ask()]
  readings.endSafely(end)
  await clock.advance(10)
  one.answer(1)
  await clock.advance(10)
  expect(endedAtMs).toEqual([])
  other.fail(new Error('it is gone'))
  await expect(other.reading).rejects.toThrow('it is gone')
  expect(endedAtMs).toEqual([20])
  expect(await one.reading).toBe(1)
})

test('nobody is asked once a thread is to end, and again when it has ended', async () => {
  const { readings, end, ask } = rig()
  const before = ask()
  readings.endSafely(end)
  let asked = 0
  const count = async () => (asked += 1)
  expect(await readings.take(count)).toBeNull()
  expect(asked).toBe(0)
  before.answer(1)
  await before.reading
  expect(await readings.take(count)).toBe(1)
})

test('a reading that is never answered holds no end back for more than 200 ms, and later ones not at all', async () => {
  const { clock, readings, endedAtMs, end, ask } = rig()
  const silent = ask()
  readings.endSafely(end)
  await clock.advance(100)
  readings.endSafely(end)
  await clock.advance(99)
  expect(endedAtMs).toEqual([])
  await clock.advance(1)
  readings.endSafely(end)
  expect(endedAtMs).toEqual([200, 200, 200])
  // What it says after all is of no matter to anybody else's end.
  const next = ask()
  readings.endSafely(end)
  silent.answer(1)
  await silent.reading
  expect(endedAtMs).toHaveLength(3)
  next.answer(2)
  await next.reading
  expect(endedAtMs).toHaveLength(4)
})
