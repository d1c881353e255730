import { describe, expect, test } from 'vitest'
import type { Reading } from '../../src/core/outcome.ts'
import type { HostKey } from '../../src/core/url.ts'
import { adaptive, createRig, fixed, good, host, refused } from './rig.ts'

const never = Number.POSITIVE_INFINITY
const view = (rig: ReturnType<typeof createRig>, name = host) => rig.gate.views().find(lane => lane.host === name)

describe('slots', () => {
  test('a host is open until its limit is in flight, and then only a returned permit opens it', () => {
    using rig = createRig(fixed(2))
    expect(rig.gate.readyAtMs(host)).toBe(0)
    const first = rig.gate.acquire(host)
    const second = rig.gate.acquire(host)
    expect([first.inFlight, second.inFlight]).toEqual([1, 2])
    expect(rig.gate.readyAtMs(host)).toBe(never)
    expect(() => rig.gate.acquire(host)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
    first.settle(good)
    expect(rig.returned).toEqual([host])
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(rig.env.clock.nowMs())
  })

  test('a permit comes back once, however often it is settled and disposed', () => {
    using rig = createRig(fixed(2))
    const permit = rig.gate.acquire(host)
    permit.settle(good)
    permit.settle(refused)
    permit[Symbol.dispose]()
    expect(rig.returned).toEqual([host])
    expect(view(rig)).toMatchObject({ inFlight: 0, answers: { good: 1, refused: 0, ignored: 0 } })
  })

  test('a permit that is disposed without an answer teaches nothing', () => {
    using rig = createRig(adaptive)
    rig.gate.acquire(host)[Symbol.dispose]()
    expect(view(rig)).toMatchObject({ inFlight: 0, limit: 2, answers: { ignored: 1 } })
  })

  test('hosts do not see each other', () => {
    using rig = createRig(fixed(1))
    rig.gate.acquire(host)
    expect(rig.gate.readyAtMs('other.test' as HostKey)).toBe(0)
  })

  test('asking makes no lane', () => {
    using rig = createRig(adaptive)
    rig.gate.readyAtMs(host)
    expect(rig.gate.laneCount).toBe(0)
  })
})

describe('a limit that narrows', () => {
  test('takes back no permit that is out: nothing new leaves until fewer are under way', async () => {
    using rig = createRig({ ...adaptive, perHost: { policy: 'aimd', start: 16, max: 16 } })
    const permits = Array.from({ length: 16 }, () => rig.gate.acquire(host))
    await rig.env.clock.advance(1)
    const [first, ...others] = permits
    first?.settle({ ...refused, verdict: 'timeout' })
    expect(view(rig)).toMatchObject({ limit: 13, inFlight: 15 })
    for (const [nth, permit] of others.entries()) {
      expect(rig.gate.readyAtMs(host) === never).toBe(nth < 3)
      permit.settle(good)
    }
    expect(view(rig)).toMatchObject({ inFlight: 0, answers: { good: 15, timeout: 1, ignored: 0 } })
  })
})

describe('what is enough', () => {
  /** So many answers, each after so long, with as many in flight as may be. */
  async function feed(rig: ReturnType<typeof createRig>, firstByteMs: number, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const permits = []
      while (rig.gate.readyAtMs(host) <= rig.env.clock.nowMs()) permits.push(rig.gate.acquire(host))
      await rig.env.clock.advance(firstByteMs)
      for (const permit of permits) permit.settle({ ...good, firstByteMs })
    }
  }

  /** The fewest with which it has enough. */
  const fewest = (rig: ReturnType<typeof createRig>): number =>
    Array.from({ length: 1_000 }, (_, more) => more).findIndex(more => rig.gate.hasEnough(host, more))

  test('nothing is, for a host that nobody has asked or of which too little is known', async () => {
    using rig = createRig(adaptive)
    expect(fewest(rig)).toBe(-1)
    await feed(rig, 100, 5)
    expect(fewest(rig)).toBe(-1)
  })

  test('is what its limiter says, and what is in flight counts', async () => {
    using rig = createRig(adaptive)
    await feed(rig, 100, 60)
    // Now and then less is enough than all of it, even for a host that has shown no queue.
    for (let round = 0; round < 30 && fewest(rig) === -1; round += 1) await feed(rig, 100, 1)
    const limit = view(rig)?.limit ?? 0
    const enough = fewest(rig)
    expect(enough).toBeGreaterThanOrEqual(Math.floor(0.95 * (limit / 2)))
    expect(enough).toBeLessThan(limit)
    rig.gate.acquire(host)
    expect(fewest(rig)).toBe(enough - 1)
  })
})

describe('bad answers', () => {
  /** A good answer after 100 ms, and then a bad one after 5. */
  const error: Reading = { ...refused, verdict: 'error' }
  async function failAtOnce({ gate, env: { clock } }: ReturnType<typeof createRig>, bad = error): Promise<void> {
    const first = gate.acquire(host)
    await clock.advance(100)
    first.settle(good)
    const second = gate.acquire(host)
    await clock.advance(5)
    second.settle(bad)
  }
  const gone: Reading = { ...good, firstByteMs: 5, pageless: true }

  test.each([error, refused, { ...gone, blocked: true }])(
    'hold their permit until a good answer would have come (%o)',
    async bad => {
      using rig = createRig(adaptive)
      const { clock } = rig.env
      await failAtOnce(rig, bad)
      expect(view(rig)?.inFlight).toBe(1)
      await clock.advance(94)
      expect(view(rig)?.inFlight).toBe(1)
      await clock.advance(1.001)
      expect(view(rig)?.inFlight).toBe(0)
      expect(rig.returned).toEqual([host, host])
    },
  )

  test.each([gone, { ...gone, verdict: 'ignored', blocked: true } as const])(
    'that say nothing of the host hold none (%o)',
    async answer => {
      using rig = createRig(adaptive)
      await failAtOnce(rig, answer)
      expect(view(rig)?.inFlight).toBe(0)
    },
  )

  test.each([
    ['a block, which no pause follows', adaptive, { ...gone, blocked: true }, 500],
    ['an error of a host that is never paused', fixed(4), error, 500],
    ['an error that counts for a pause', adaptive, error, 5],
  ])('before the first page hold their permit as long as a slow page would: %s', async (_what, policy, bad, heldMs) => {
    using rig = createRig(policy)
    const permit = rig.gate.acquire(host)
    await rig.env.clock.advance(5)
    permit.settle(bad)
    expect(view(rig)?.inFlight).toBe(heldMs > 5 ? 1 : 0)
    await rig.env.clock.advance(heldMs - 5)
    expect(view(rig)?.inFlight).toBe(0)
  })

  test('that rest are no requests under way: the peak is what the host saw', async () => {
    using rig = createRig(adaptive)
    const { clock } = rig.env
    await failAtOnce(rig)
    const third = rig.gate.acquire(host)
    expect(third.inFlight).toBe(1)
    expect(view(rig)).toMatchObject({ inFlight: 2, peakInFlight: 1 })
    await clock.advance(100)
    expect(rig.gate.acquire(host).inFlight).toBe(2)
    expect(view(rig)).toMatchObject({ inFlight: 2, peakInFlight: 2 })
  })

  test('that rest when the gate is closed are given back, and no timer is left', () => {
    const rig = createRig(adaptive)
    const [first, second] = [rig.gate.acquire(host), rig.gate.acquire(host)]
    first.settle(good)
    second.settle(refused)
    expect(rig.env.clock.pendingTimers).toBe(1)
    rig[Symbol.dispose]()
    expect(view(rig)?.inFlight).toBe(0)
    expect(rig.env.clock.pendingTimers).toBe(0)
  })
})

describe('pauses', () => {
  test('a throttled host is not asked again before its Retry-After, and then by one probe alone', async () => {
    using rig = createRig(adaptive)
    const { clock } = rig.env
    rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 30_000 })
    const readyAtMs = rig.gate.readyAtMs(host)
    expect(readyAtMs).toBeGreaterThanOrEqual(30_000)
    await clock.advance(29_999)
    expect(rig.gate.readyAtMs(host)).toBeGreaterThan(clock.nowMs())
    await clock.advance(readyAtMs - clock.nowMs())
    const probe = rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(never)
    await clock.advance(100)
    probe.settle(good)
    const after = [rig.gate.acquire(host), rig.gate.acquire(host)]
    expect(after.map(({ inFlight }) => inFlight)).toEqual([1, 2])
  })

  test('a probe that was given up makes room for another one', async () => {
    using rig = createRig(adaptive)
    rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 1_000 })
    await rig.env.clock.advance(2_000)
    rig.gate.acquire(host)[Symbol.dispose]()
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(rig.env.clock.nowMs())
  })

  test('requests from before the pause do not take the place of the probe', async () => {
    using rig = createRig({ ...adaptive, perHost: { policy: 'aimd', start: 4, max: 4 } })
    const [first] = [rig.gate.acquire(host), rig.gate.acquire(host)]
    first?.settle({ ...refused, retryAfterMs: 1_000 })
    await rig.env.clock.advance(2_000)
    expect(rig.gate.acquire(host).inFlight).toBe(2)
    expect(rig.gate.readyAtMs(host)).toBe(never)
  })

  test('the latest of several pauses wins', () => {
    using rig = createRig(adaptive)
    rig.gate.pauseUntil(host, 5_000, 'robots file')
    rig.gate.pauseUntil(host, 3_000, 'robots file')
    expect(rig.gate.readyAtMs(host)).toBe(5_000)
    expect(view(rig)).toMatchObject({ pauses: 1, lastPause: { untilMs: 5_000, reason: 'robots file' } })
  })
})

describe.each([fixed(8), adaptive])('a host that was given up, with the policy $perHost.policy', policy => {
  const silent: Reading = { ...good, verdict: 'timeout', firstByteMs: null }
  const giveUp = async ({ gate, env: { clock } }: ReturnType<typeof createRig>): Promise<void> => {
    while (!gate.isGivenUp(host)) {
      await clock.advance(Math.max(5_000, gate.readyAtMs(host) - clock.nowMs()))
      gate.acquire(host).settle(silent)
    }
    await clock.advance(600_001)
  }

  test('is asked by one request alone once its ten minutes are over, and by more when that is answered', async () => {
    using rig = createRig(policy)
    await giveUp(rig)
    expect(rig.gate.isGivenUp(host)).toBe(false)
    const probe = rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(never)
    expect([rig.gate.causeOf(host), rig.gate.explain(host)]).toEqual([
      'pause',
      expect.stringContaining('waiting for its one probe'),
    ])
    await rig.env.clock.advance(100)
    probe.settle(good)
    for (let n = 0; n < 3; n += 1) {
      rig.gate.acquire(host).settle(good)
      await rig.env.clock.advance(100)
    }
    expect([rig.gate.acquire(host), rig.gate.acquire(host)].map(({ inFlight }) => inFlight)).toEqual([1, 2])
  })

  test('is given up again when that one fails, and asked by another where it was never sent', async () => {
    using rig = createRig(policy)
    await giveUp(rig)
    rig.gate.acquire(host)[Symbol.dispose]()
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(rig.env.clock.nowMs())
    rig.gate.acquire(host).settle(silent)
    expect(rig.gate.isGivenUp(host)).toBe(true)
  })

  test('is still asked by one alone when nobody wanted it for a while', async () => {
    using rig = createRig(policy)
    await giveUp(rig)
    await rig.env.clock.advance(60_000)
    rig.gate.sweep()
    rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(never)
  })
})

describe('delays', () => {
  test('departures of one host are at least the delay apart', async () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 500, max: 1_500 } })
    for (let n = 0; n < 20; n += 1) {
      const leftMs = rig.env.clock.nowMs()
      rig.gate.acquire(host)[Symbol.dispose]()
      const gapMs = rig.gate.readyAtMs(host) - leftMs
      expect(gapMs >= 500 && gapMs <= 1_500).toBe(true)
      await rig.env.clock.advance(gapMs)
    }
  })

  test('a crawl-delay holds from the last departure on, and outlives the lane', async () => {
    using rig = createRig(fixed(8))
    rig.gate.acquire(host)[Symbol.dispose]()
    rig.gate.spacingMs(host, 3_000)
    expect(rig.gate.readyAtMs(host)).toBe(3_000)
    await rig.env.clock.advance(20_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(0)
    rig.gate.acquire(host)[Symbol.dispose]()
    expect(rig.gate.readyAtMs(host)).toBe(23_000)
  })
})

describe('what is said', () => {
  test('every change of a limit is an event with its reason, and a stretch in the report', async () => {
    using rig = createRig(adaptive)
    for (let n = 0; n < 10; n += 1) {
      const permits = [rig.gate.acquire(host), rig.gate.acquire(host)]
      await rig.env.clock.advance(100)
      for (const permit of permits) permit.settle(good)
    }
    rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 2_000 })
    const changes = view(rig)?.changes ?? []
    expect(changes.map(({ from, to, reason }) => ({ from, to, reason }))).toEqual([
      { from: 2, to: 3, reason: 'slow start' },
      { from: 3, to: 2, reason: 'refused: Retry-After of 2 s' },
    ])
    expect(rig.heard.map(({ name }) => name)).toEqual(['lane.limit', 'lane.limit', 'lane.paused'])
    expect(rig.heard.at(-1)?.event).toMatchObject({ host, reason: 'refused: Retry-After of 2 s' })
  })

  test('refusals and answers that say "not you" are blocks, of the whole run and of late', async () => {
    using rig = createRig(fixed(4))
    for (let n = 0; n < 6; n += 1) rig.gate.acquire(host).settle(good)
    rig.gate.acquire(host).settle({ ...good, blocked: true })
    rig.gate.acquire(host).settle(refused)
    await rig.env.clock.advance(200)
    expect(view(rig)).toMatchObject({ blocked: 2, blockRate: { share: 0.25, answers: 8, windowMs: 300_000 } })
    await rig.env.clock.advance(400_000)
    expect(view(rig)).toMatchObject({ blocked: 2, blockRate: { share: 0, answers: 0 } })
  })

  test('the report knows peaks, answers and the latency of the host', async () => {
    using rig = createRig(fixed(4))
    for (let n = 1; n <= 100; n += 1) rig.gate.acquire(host).settle({ ...good, firstByteMs: n })
    rig.gate.acquire(host).settle({ ...good, verdict: 'timeout', firstByteMs: null })
    const both = [rig.gate.acquire(host), rig.gate.acquire(host)]
    expect(view(rig)).toMatchObject({
      ...{ limit: 4, inFlight: 2, peakInFlight: 2, firstByteP50Ms: 50, firstByteP95Ms: 95 },
      answers: { good: 100, timeout: 1 },
    })
    for (const permit of both) permit[Symbol.dispose]()
  })
})

describe('sweeping', () => {
  test('100,000 hosts of one page each do not stay', async () => {
    using rig = createRig(adaptive)
    for (let n = 0; n < 100_000; n += 1) {
      rig.gate.acquire(`host-${n}.test` as HostKey).settle(good)
      if (n % 10_000 === 0) {
        await rig.env.clock.advance(11_000)
        rig.gate.sweep()
        expect(rig.gate.laneCount).toBeLessThanOrEqual(10_000)
      }
    }
    await rig.env.clock.advance(11_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(0)
    expect(rig.gate.views().length).toBeLessThanOrEqual(2_000)
    // None without a word.
    expect(rig.gate.views().length + rig.gate.droppedViews).toBe(100_000)
  })

  test('the busiest hosts stay in the report', async () => {
    using rig = createRig(adaptive)
    for (let n = 0; n < 5; n += 1) rig.gate.acquire(host).settle(good)
    for (let n = 0; n < 5_000; n += 1) rig.gate.acquire(`host-${n}.test` as HostKey).settle(good)
    await rig.env.clock.advance(11_000)
    rig.gate.sweep()
    expect(view(rig)?.answers.good).toBe(5)
  })

  test('a lane stays while anything of it is out, paused, or not yet idle for long enough', async () => {
    using rig = createRig({ ...adaptive, rate: { tokensPerSecond: 0.01, burst: 5 } })
    const [out, paused, recent, drained, free] = ['out', 'paused', 'recent', 'drained', 'free'] as HostKey[]
    if (!out || !paused || !recent || !drained || !free) throw new Error('five names')
    const permit = rig.gate.acquire(out)
    rig.gate.pauseUntil(paused, 1_000_000, 'test')
    rig.gate.pauseUntil(free, 1, 'test')
    await rig.env.clock.advance(200_000)
    rig.gate.acquire(recent)[Symbol.dispose]()
    rig.gate.acquire(drained)[Symbol.dispose]()
    await rig.env.clock.advance(9_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(4)
    await rig.env.clock.advance(2_000)
    permit[Symbol.dispose]()
    rig.gate.sweep()
    // Their buckets are not full yet: forgetting them would give the tokens back.
    expect(rig.gate.laneCount).toBe(4)
    await rig.env.clock.advance(100_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(1)
  })

  test('a host that begins anew after idling says so, in the report and as an event', async () => {
    using rig = createRig(adaptive)
    const permits = [rig.gate.acquire(host), rig.gate.acquire(host)]
    await rig.env.clock.advance(100)
    for (const permit of permits) permit.settle(good)
    const before = view(rig)?.limit
    expect(before).toBeGreaterThan(2)
    await rig.env.clock.advance(11_000)
    rig.gate.sweep()
    rig.gate.acquire(host)
    const change = { from: before, to: 2, reason: 'anew after idling' }
    expect(view(rig)?.changes.at(-1)).toMatchObject(change)
    expect(rig.heard.at(-1)).toMatchObject({ name: 'lane.limit', event: { host, ...change } })
  })

  test('a host in an outage is not forgotten between two probes', async () => {
    using rig = createRig(adaptive)
    rig.gate.acquire(host).settle({ ...refused, retryAfterMs: 1_000 })
    await rig.env.clock.advance(60_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(1)
    await rig.env.clock.advance(300_000)
    rig.gate.sweep()
    expect(rig.gate.laneCount).toBe(0)
  })
})
