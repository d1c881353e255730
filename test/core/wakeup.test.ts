import { expect, test } from 'vitest'
import { createWakeup } from '../../src/core/wakeup.ts'
import { createSimClock } from '../sim/clock.ts'

const never = new AbortController().signal

test('a sleeper wakes at its time', async () => {
  const clock = createSimClock()
  const wakeup = createWakeup(clock)
  const startMs = clock.nowMs()
  await clock.run(() => wakeup.sleepUntil(startMs + 500, never))
  expect(clock.nowMs() - startMs).toBe(500)
})

test('a call wakes a sleeper before its time', async () => {
  const clock = createSimClock()
  const wakeup = createWakeup(clock)
  const startMs = clock.nowMs()
  clock.after(100, () => wakeup.wake())
  await clock.run(() => wakeup.sleepUntil(Number.POSITIVE_INFINITY, never))
  expect(clock.nowMs() - startMs).toBe(100)
})

test('a call while nobody sleeps is not lost', async () => {
  const clock = createSimClock()
  const wakeup = createWakeup(clock)
  wakeup.wake()
  await clock.run(() => wakeup.sleepUntil(Number.POSITIVE_INFINITY, never))
})

test('a sleeper that nobody can wake is reported at once', async () => {
  const clock = createSimClock()
  const wakeup = createWakeup(clock)
  await expect(clock.run(() => wakeup.sleepUntil(Number.POSITIVE_INFINITY, never))).rejects.toThrow(/deadlock/)
})

test('a stop ends the sleep with its reason', async () => {
  const clock = createSimClock()
  const wakeup = createWakeup(clock)
  const stop = new AbortController()
  clock.after(10, () => stop.abort(new Error('enough')))
  await expect(clock.run(() => wakeup.sleepUntil(Number.POSITIVE_INFINITY, stop.signal))).rejects.toThrow('enough')
})
