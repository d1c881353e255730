import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { adaptive, createRig, fixed, good, host, refused } from './rig.ts'

test('a full host says its limit and what is in flight', () => {
  using rig = createRig(fixed(2))
  rig.gate.acquire(host)
  rig.gate.acquire(host)
  expect(rig.gate.explain(host)).toBe('limit 2, 2 in flight')
})

test('a paused host says for how long, and by what', async () => {
  using rig = createRig(fixed(4))
  rig.gate.acquire(host)
  rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 30_000 })
  await rig.env.clock.advance(18_000)
  expect(rig.gate.explain(host)).toBe('limit 4, 1 in flight, paused 12 s: Retry-After of 30 s')
})

test('a host that is probed says so', async () => {
  using rig = createRig(adaptive)
  rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 1_000 })
  await rig.env.clock.advance(2_000)
  expect(rig.gate.explain(host)).toMatch(/one probe may go$/)
  rig.gate.acquire(host)
  expect(rig.gate.explain(host)).toMatch(/waiting for its one probe$/)
})

test('delays, crawl-delays and rates are named', () => {
  using rig = createRig({ ...fixed(4), delayMs: { min: 2_000, max: 2_000 }, rate: { tokensPerSecond: 0.1, burst: 1 } })
  rig.gate.acquire(host).settle(good)
  expect(rig.gate.explain(host)).toBe('limit 4, 0 in flight, next departure in 2 s, next token of its rate in 10 s')
  rig.gate.spacingMs(host, 7_000)
  expect(rig.gate.explain(host)).toContain('next departure in 7 s (Crawl-delay)')
})

test('a host that was given up says since when', async () => {
  using rig = createRig(fixed(4))
  for (let n = 0; n < 13; n += 1) {
    rig.gate.acquire(host).settle({ ...good, verdict: 'timeout', firstByteMs: null })
    await rig.env.clock.advance(5_000)
  }
  expect(rig.gate.explain(host)).toBe('given up: the last 13 requests went wrong, for 1 min')
  expect(rig.gate.isGivenUp(host)).toBe(true)
})

test('a host that nobody asked says nothing of itself', () => {
  using rig = createRig(fixed(4))
  expect(rig.gate.explain('b.test' as HostKey)).toMatch(/^nothing in flight/)
})
