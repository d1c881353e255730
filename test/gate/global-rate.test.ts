import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createGlobalRate } from '../../src/gate/global-rate.ts'
import { createSimClock } from '../sim/clock.ts'

const host = 'a.test' as HostKey

test('a rate over all hosts holds whoever asks, and saves up no more than its burst', async () => {
  const clock = createSimClock()
  const rate = createGlobalRate(clock, { tokensPerSecond: 10, burst: 5 })
  await clock.advance(60_000)
  const leftMs: number[] = []
  while (leftMs.length < 105) {
    const readyAtMs = rate.readyAtMs(`h${leftMs.length}.test` as HostKey)
    if (readyAtMs > clock.nowMs()) await clock.advance(readyAtMs - clock.nowMs())
    rate.acquire(host)[Symbol.dispose]()
    leftMs.push(clock.nowMs())
  }
  expect(leftMs.filter(atMs => atMs === 60_000)).toHaveLength(5)
  expect(leftMs.at(-1)).toBeCloseTo(70_000, 3)
  expect(() => rate.acquire(host)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
})

test('without a rate it is always open', () => {
  const rate = createGlobalRate(createSimClock(), null)
  for (let n = 0; n < 1_000; n += 1) rate.acquire(host)
  expect(rate.readyAtMs(host)).toBe(0)
})
