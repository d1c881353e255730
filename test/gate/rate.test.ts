import { expect, test } from 'vitest'
import type { HostPolicy } from '../../src/job/job.ts'
import { createRig, fixed, good, host, noDelay, type Rig, refused } from './rig.ts'

const wanted: HostPolicy = {
  perHost: { policy: 'aimd', start: 50, max: 50 },
  rate: { tokensPerSecond: 10, burst: 20 },
  delayMs: noDelay,
}

/** Endless demand, each request up to 200 ms: when each of them left. */
async function departures(rig: Rig, untilMs: number, answer = () => good): Promise<readonly number[]> {
  const { clock, random } = rig.env
  const leftMs: number[] = []
  while (clock.nowMs() < untilMs) {
    while (rig.gate.readyAtMs(host) <= clock.nowMs()) {
      const permit = rig.gate.acquire(host)
      leftMs.push(clock.nowMs())
      clock.after(200 * random(), () => permit.settle(answer()))
    }
    const readyAtMs = Math.min(rig.gate.readyAtMs(host), clock.nowMs() + 100, untilMs)
    await clock.advance(Math.max(0.001, readyAtMs - clock.nowMs()))
  }
  return leftMs
}

const mostWithin = (leftMs: readonly number[], lengthMs: number): number =>
  Math.max(...leftMs.map(fromMs => leftMs.filter(atMs => atMs >= fromMs && atMs < fromMs + lengthMs).length))

const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

test.each(seeds)(
  'ten a second with a burst of 20 are 600 to 620 requests in a minute, 31 in a second at most (L19, seed %i)',
  async seed => {
    using rig = createRig(wanted, seed)
    const leftMs = await departures(rig, 60_000)
    expect(leftMs.length).toBeGreaterThanOrEqual(600)
    expect(leftMs.length).toBeLessThanOrEqual(620)
    expect(mostWithin(leftMs, 1_000)).toBeLessThanOrEqual(31)
  },
)

test.each(seeds)('a pause by Retry-After does not save up tokens beyond the burst (L19, seed %i)', async seed => {
  using rig = createRig(wanted, seed)
  await departures(rig, 10_000)
  rig.gate.pauseUntil(host, 40_000, 'Retry-After')
  const leftMs = (await departures(rig, 45_000)).filter(atMs => atMs > 10_000)
  expect(leftMs[0]).toBe(40_000)
  expect(mostWithin(leftMs, 1_000)).toBeLessThanOrEqual(31)
  expect(leftMs.length).toBeLessThanOrEqual(20 + 50)
})

test('a token is only spent together with a slot', async () => {
  using rig = createRig({ ...fixed(1), rate: { tokensPerSecond: 1, burst: 2 } })
  const permit = rig.gate.acquire(host)
  expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
  expect(() => rig.gate.acquire(host)).toThrow()
  permit.settle(good)
  // The second token of the burst is still there.
  rig.gate.acquire(host).settle(refused)
  expect(rig.gate.readyAtMs(host)).toBeGreaterThan(rig.env.clock.nowMs())
})

test.each([1, 10, 1_000_000])(
  'ten requests, two at a time, one second each, take five seconds at %s tokens a second of burst ten',
  async tokensPerSecond => {
    using rig = createRig({ ...fixed(2), rate: { tokensPerSecond, burst: 10 } })
    const { clock } = rig.env
    const endedMs: number[] = []
    for (let sent = 0; sent < 10; ) {
      for (; sent < 10 && rig.gate.readyAtMs(host) <= clock.nowMs(); sent += 1) {
        const permit = rig.gate.acquire(host)
        expect(permit.inFlight).toBeLessThanOrEqual(2)
        clock.after(1_000, () => {
          permit.settle(good)
          endedMs.push(clock.nowMs())
        })
      }
      await clock.advance(1_000)
    }
    expect(Math.max(...endedMs)).toBe(5_000)
  },
)
