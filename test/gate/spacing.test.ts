import { setTimeout as realDelay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { realClock, realEnv } from '../../src/core/clock.ts'
import { createEvents } from '../../src/core/events.ts'
import { createHostGate } from '../../src/gate/host-gate.ts'
import type { HostPolicy } from '../../src/job/job.ts'
import { fetcherWith, never, taskFor, wordsOf } from '../fetch/kit.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { createRandom } from '../sim/random.ts'
import { createRig, fixed, good, host, noDelay, type Rig } from './rig.ts'

const gapsOf = (atMs: readonly number[]): readonly number[] =>
  atMs.slice(1).map((laterMs, index) => laterMs - (atMs[index] ?? 0))

/** Endless demand; each request looks for a connection for as long as `connectMs` says, and is answered after 300 ms. */
async function departures(rig: Rig, untilMs: number, connectMs: () => number): Promise<readonly number[]> {
  const { clock } = rig.env
  const sentMs: number[] = []
  while (clock.nowMs() < untilMs) {
    while (rig.gate.readyAtMs(host) <= clock.nowMs()) {
      const permit = rig.gate.acquire(host)
      clock.after(connectMs(), () => {
        sentMs.push(clock.nowMs())
        permit.sent()
        clock.after(300, () => permit.settle(good))
      })
    }
    const readyAtMs = Math.min(rig.gate.readyAtMs(host), clock.nowMs() + 10, untilMs)
    await clock.advance(Math.max(0.001, readyAtMs - clock.nowMs()))
  }
  return sentMs
}

/** The same by a transport that asks when it may write: the gate is asked again when it said, or says that something changed. */
async function askedDepartures(rig: Rig, untilMs: number, connectMs: () => number): Promise<readonly number[]> {
  const { clock } = rig.env
  const sentMs: number[] = []
  async function ask(): Promise<void> {
    const permit = rig.gate.acquire(host)
    await clock.sleep(connectMs(), never)
    expect(await permit.depart()).toBe(true)
    sentMs.push(clock.nowMs())
    permit.sent()
    await clock.sleep(300, never)
    permit.settle(good)
  }
  while (clock.nowMs() < untilMs) {
    while (rig.gate.readyAtMs(host) <= clock.nowMs()) void ask()
    await clock.advance(1)
  }
  return sentMs
}

describe('departures of a transport that asks when it may write', () => {
  const wishes: readonly (readonly [string, HostPolicy, number])[] = [
    ['by a delay', { ...fixed(50), delayMs: { min: 100, max: 100 } }, 0],
    ['by a robots file', fixed(50), 100],
    ['by a rate without a burst', { ...fixed(50), rate: { tokensPerSecond: 10, burst: 1 } }, 0],
  ]
  describe.each(wishes)('kept apart %s', (_, policy, spacingMs) => {
    test.each([
      ['a while', () => 800],
      ['as long as the gap', () => 100],
      ['no time', () => 0],
    ])('are as many as asked, and no closer, where a connection takes %s', async (_what, connectMs) => {
      using rig = createRig(policy)
      rig.gate.spacingMs(host, spacingMs)
      const sentMs = await askedDepartures(rig, 20_000, connectMs)
      expect(Math.min(...gapsOf(sentMs))).toBeGreaterThanOrEqual(100)
      expect(sentMs.filter(atMs => atMs >= 5_000).length).toBeGreaterThanOrEqual(146)
    })

    test('are never closer than asked, however long each looks for its connection', async () => {
      using rig = createRig(policy)
      rig.gate.spacingMs(host, spacingMs)
      const random = createRandom(7)
      const sentMs = await askedDepartures(rig, 20_000, () => (random() < 0.5 ? 0 : random() * 900))
      expect(Math.min(...gapsOf(sentMs))).toBeGreaterThanOrEqual(100)
      expect(sentMs.length).toBeGreaterThan(150)
    })
  })

  test('lose nothing to a connection that takes less than the delay', async () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 2_000, max: 2_000 } })
    expect((await askedDepartures(rig, 100_000, () => 800)).length).toBeGreaterThanOrEqual(49)
  })

  test('of a burst keep to the rate and reach it', async () => {
    using rig = createRig({ ...fixed(50), rate: { tokensPerSecond: 10, burst: 4 } })
    const sentMs = await askedDepartures(rig, 20_000, () => 800)
    for (const [nth, atMs] of sentMs.entries())
      expect(sentMs.slice(nth).filter(later => later - atMs <= 500).length).toBeLessThanOrEqual(4 + 5)
    expect(sentMs.filter(atMs => atMs >= 5_000).length).toBeGreaterThanOrEqual(149)
  })

  test('no more look for a connection than leave while one is found', async () => {
    using rig = createRig({ ...fixed(50), delayMs: { min: 100, max: 100 } })
    let looking = 0
    let most = 0
    const sentMs = await askedDepartures(rig, 10_000, () => {
      looking += 1
      most = Math.max(most, looking)
      rig.env.clock.after(800, () => {
        looking -= 1
      })
      return 800
    })
    expect(sentMs.length).toBeGreaterThan(80)
    expect(most).toBeLessThanOrEqual(9)
  })

  test('who waits for one to leave hears of it when its connection took so long that others may look for one meanwhile', async () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 500, max: 500 } })
    const permit = rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    await rig.env.clock.advance(1_000)
    expect(permit.depart()).toBe(true)
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(1_000)
    permit.sent()
    expect(rig.returned).toEqual([host])
  })

  test('who waits for one to leave hears of it when the robots file asks for no delay any more', () => {
    using rig = createRig(fixed(8))
    rig.gate.spacingMs(host, 500)
    using _permit = rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    rig.gate.spacingMs(host, 0)
    expect(rig.gate.readyAtMs(host)).toBe(0)
    expect(rig.returned).toEqual([host])
  })

  test('one that is given up while it waits lets the next go in its place', async () => {
    using rig = createRig({ ...fixed(8), rate: { tokensPerSecond: 1, burst: 2 } })
    const { clock } = rig.env
    const [first, second] = [rig.gate.acquire(host), rig.gate.acquire(host)]
    await clock.advance(1)
    expect([first.depart(), second.depart()]).toEqual([true, true])
    first.sent()
    second.sent()
    // Each is written once more, on another connection.
    const gone = second.depart()
    const turn = first.depart()
    let leftMs = 0
    void Promise.resolve(turn).then(() => {
      leftMs = clock.nowMs()
    })
    second[Symbol.dispose]()
    await gone
    await clock.advance(5_000)
    expect(leftMs).toBe(1_001)
  })
})

describe('departures that are kept apart', () => {
  const wishes: readonly (readonly [string, HostPolicy, number])[] = [
    ['by a delay', { ...fixed(8), delayMs: { min: 500, max: 500 } }, 0],
    ['by a robots file', fixed(8), 500],
    ['by a rate without a burst', { ...fixed(8), rate: { tokensPerSecond: 2, burst: 1 } }, 0],
  ]
  for (const [name, policy, spacingMs] of wishes)
    test(`${name} are never closer on the wire than asked, however long each looks for its connection`, async () => {
      using rig = createRig(policy)
      rig.gate.spacingMs(host, spacingMs)
      const random = createRandom(7)
      const sentMs = await departures(rig, 60_000, () => (random() < 0.5 ? 0 : random() * 900))
      expect(sentMs.length).toBeGreaterThan(60)
      expect(Math.min(...gapsOf(sentMs))).toBeGreaterThanOrEqual(500)
    })

  test('are as many as asked where connections are there', async () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 500, max: 500 } })
    expect((await departures(rig, 60_000, () => 0)).length).toBeGreaterThanOrEqual(119)
  })

  test('wait for the one before to leave, are told when it has, and say so', () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 500, max: 500 } })
    const permit = rig.gate.acquire(host)
    expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    expect(rig.gate.explain(host)).toContain('the one before has not left yet')
    permit.sent()
    expect(rig.returned).toEqual([host])
    expect(rig.gate.readyAtMs(host)).toBe(500)
    permit[Symbol.dispose]()
    permit.sent()
    expect(rig.returned).toEqual([host, host])
  })

  test('count from its grant when it never left', () => {
    using rig = createRig({ ...fixed(8), delayMs: { min: 500, max: 500 } })
    rig.gate.acquire(host).settle({ ...good, verdict: 'error' })
    expect(rig.gate.readyAtMs(host)).toBe(500)
  })
})

test('departures that nothing keeps apart need not be told of', () => {
  using rig = createRig({ ...fixed(3), rate: { tokensPerSecond: 2, burst: 5 } })
  for (let at = 0; at < 3; at += 1) rig.gate.acquire(host)
  expect(rig.returned).toEqual([])
})

test('a server sees the gaps that were asked for, also where the first connection takes its time', async () => {
  const seenMs: number[] = []
  await using server = await createRawServer(() => {
    seenMs.push(realClock.nowMs())
    return answerOf('ok')
  })
  let lookups = 0
  await using fetcher = fetcherWith({
    addresses: {
      async lookup() {
        lookups += 1
        if (lookups === 1) await realDelay(180)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    },
  })
  const policy: HostPolicy = { perHost: { policy: 'fixed', max: 4 }, rate: null, delayMs: noDelay }
  using gate = createHostGate({
    env: realEnv,
    policyOf: () => policy,
    retries: { totalWaitMs: 600_000, budget: 0.1 },
    events: createEvents('spacing'),
    onReturned: () => {},
    idleAfterMs: 10_000,
  })
  const task = taskFor(server.url('/', 'slow.test'))
  gate.spacingMs(task.host, 200)
  const asking: Promise<unknown>[] = []
  while (asking.length < 4) {
    if (gate.readyAtMs(task.host) <= realClock.nowMs()) {
      const permit = gate.acquire(task.host)
      const { depart, sent } = permit
      const outcome = fetcher.fetch({ task, route: null, grow: () => {}, depart, sent }, never)
      asking.push(
        outcome.then(ended => expect(wordsOf(ended)).toBe('page 200 "ok"')).finally(() => permit.settle(good)),
      )
    }
    await realDelay(1)
  }
  await Promise.all(asking)
  // Counted from the grants the second would follow the first after 20 ms. Our own loop may be late in seeing them.
  expect(Math.min(...gapsOf(seenMs))).toBeGreaterThan(150)
})
