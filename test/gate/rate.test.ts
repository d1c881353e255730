import fc from 'fast-check'
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

/**
 * Endless demand; each looks for a connection for as long as `connectMs` says, and is answered 300 ms after it left. The
 * gate is asked again when it said, or when it says that something changed.
 */
async function seenByHost(rig: Rig, untilMs: number, connectMs: () => number): Promise<readonly number[]> {
  const { clock } = rig.env
  const seenMs: number[] = []
  function grant(): void {
    while (rig.gate.readyAtMs(host) <= clock.nowMs() && clock.nowMs() < untilMs) {
      const permit = rig.gate.acquire(host)
      clock.after(connectMs(), () => {
        seenMs.push(clock.nowMs())
        permit.sent()
        clock.after(300, () => permit.settle(good))
      })
    }
  }
  while (clock.nowMs() < untilMs) {
    grant()
    const told = rig.returned.length
    const atMs = Math.min(rig.gate.readyAtMs(host), untilMs)
    while (clock.nowMs() < atMs && rig.returned.length === told) await clock.advance(Math.min(1, atMs - clock.nowMs()))
  }
  return seenMs
}

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

test('a host never sees more than the burst and what the rate allows, however long connections take', async () => {
  const ms = fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3_000))
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(ms, { minLength: 1, maxLength: 40 }),
      async (burst, tokensPerSecond, connectsMs) => {
        using rig = createRig({ ...fixed(50), rate: { tokensPerSecond, burst } })
        let nth = 0
        const seenMs = await seenByHost(rig, 5_000, () => connectsMs[nth++ % connectsMs.length] ?? 0)
        for (const [first, fromMs] of seenMs.entries())
          for (const [later, toMs] of seenMs.slice(first).entries())
            expect(later + 1).toBeLessThanOrEqual(burst + ((toMs - fromMs) * tokensPerSecond) / 1_000 + 1e-6)
      },
    ),
    { numRuns: 60 },
  )
})

test('a burst that waited for its connections leaves at once, and what comes after it keeps to the rate', async () => {
  using rig = createRig({ ...fixed(50), rate: { tokensPerSecond: 10, burst: 4 } })
  const seenMs = await seenByHost(rig, 3_000, () => (rig.env.clock.nowMs() === 0 ? 1_000 : 0))
  expect(seenMs.slice(0, 7)).toEqual([1_000, 1_000, 1_000, 1_000, 1_100, 1_200, 1_300])
})

test('the rate is reached where connections are quick', async () => {
  using rig = createRig({ ...fixed(50), rate: { tokensPerSecond: 10, burst: 4 } })
  expect((await seenByHost(rig, 60_000, () => 80)).length).toBeGreaterThanOrEqual(600)
})

test('a burst that looks for its connections says so, and its host is asked again when one has left', () => {
  using rig = createRig({ ...fixed(50), rate: { tokensPerSecond: 10, burst: 2 } })
  const [first] = [rig.gate.acquire(host), rig.gate.acquire(host)]
  expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
  expect(rig.gate.causeOf(host)).toBe('rate')
  expect(rig.gate.explain(host)).toBe('limit 50, 2 in flight, 2 before have not left yet')
  first.sent()
  expect(rig.returned).toEqual([host])
  expect(rig.gate.readyAtMs(host)).toBe(100)
})

test.each([
  ['of a burst', { rate: { tokensPerSecond: 10, burst: 2 } }, 2],
  ['with a delay', { delayMs: { min: 100, max: 100 } }, 1],
])(
  'a host that waits for a request %s to leave is asked again when that fails before it has left',
  async (_, pace, burst) => {
    using rig = createRig({ ...fixed(50), ...pace })
    const { clock } = rig.env
    const slow = rig.gate.acquire(host)
    slow.sent()
    await clock.advance(30_000)
    slow.settle({ ...good, firstByteMs: 30_000 })
    const [first] = Array.from({ length: burst }, () => rig.gate.acquire(host))
    expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    rig.returned.length = 0
    // Its permit rests for as long as a page takes here.
    first?.settle({ ...good, verdict: 'error', firstByteMs: null })
    expect(rig.returned).toEqual([host])
    expect(rig.gate.readyAtMs(host)).toBe(clock.nowMs() + 100)
  },
)

test('a request that is written twice costs two tokens', () => {
  using rig = createRig({ ...fixed(50), rate: { tokensPerSecond: 10, burst: 2 } })
  const permit = rig.gate.acquire(host)
  permit.sent()
  permit.sent()
  expect(rig.gate.readyAtMs(host)).toBe(100)
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
