import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createAbortHub } from '../../src/core/abort-hub.ts'

/** What was told to stop, and functions that note it. */
function stops(count: number) {
  const told: number[] = []
  return { told, all: Array.from({ length: count }, (_, nth) => () => void told.push(nth)) }
}

test('however many wait for a signal, it has one listener, and none once nobody waits', () => {
  const { signal } = new AbortController()
  const hub = createAbortHub()
  const { all } = stops(100)
  for (const stop of all) hub.add(signal, stop)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  for (const stop of all) hub.remove(signal, stop)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('a signal that aborts tells those that wait for it, once, and nobody else', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const hub = createAbortHub()
  const { told, all } = stops(3)
  for (const [nth, stop] of all.entries()) hub.add(nth === 2 ? other.signal : one.signal, stop)
  hub.remove(one.signal, all[1] ?? (() => {}))
  one.abort()
  one.abort()
  expect(told).toEqual([0])
})

test('whoever comes after a signal has aborted is told at once', () => {
  const hub = createAbortHub()
  const { told, all } = stops(1)
  for (const stop of all) hub.add(AbortSignal.abort(), stop)
  expect(told).toEqual([0])
})

test('all can be stopped without any signal, those that are still to come among them', () => {
  const { signal } = new AbortController()
  const hub = createAbortHub()
  const { told, all } = stops(2)
  hub.add(signal, all[0] ?? (() => {}))
  hub.stopAll()
  hub.add(signal, all[1] ?? (() => {}))
  expect(told).toEqual([0, 1])
})
