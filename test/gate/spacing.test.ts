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
      const outcome = fetcher.fetch({ task, route: null, grow: () => {}, sent: permit.sent }, never)
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
