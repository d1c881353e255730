import { describe, expect, test } from 'vitest'
import type { Permit } from '../../src/gate/permit.ts'
import type { HostPolicy } from '../../src/job/job.ts'
import { adaptive, createRig, fixed, good, host, type Rig, refused } from './rig.ts'

const asksToWait = { ...refused, retryAfterMs: 10_000 }
const spaced: HostPolicy = { ...fixed(8), delayMs: { min: 100, max: 100 } }

/** Grants as many as may look for a connection at a time once one took so long. */
async function lookingFor(rig: Rig, count: number): Promise<readonly Permit[]> {
  const { clock } = rig.env
  const first = rig.gate.acquire(host)
  await clock.advance(1_000)
  first.depart()
  first.sent()
  first.settle(good)
  const permits: Permit[] = []
  while (permits.length < count) {
    if (rig.gate.readyAtMs(host) <= clock.nowMs()) permits.push(rig.gate.acquire(host))
    else await clock.advance(1)
  }
  return permits
}

describe('when its host pauses', () => {
  const pauses: readonly (readonly [string, (rig: Rig, permit: Permit) => void])[] = [
    ['by a Retry-After', (_, permit) => permit.settle(asksToWait)],
    ['from outside', ({ gate, env }) => gate.pauseUntil(host, env.clock.nowMs() + 10_000, 'the robots file is away')],
  ]
  test.each(pauses)(
    '%s, what could be written after that is withdrawn, and nothing is learnt of it',
    async (_, pause) => {
      using rig = createRig(fixed(4))
      const [other, permit] = [rig.gate.acquire(host), rig.gate.acquire(host)]
      pause(rig, other)
      expect(permit.depart()).toBe(false)
      expect(permit.isWithdrawn).toBe(true)
      other[Symbol.dispose]()
      const [before] = rig.gate.views()
      permit[Symbol.dispose]()
      const [after] = rig.gate.views()
      expect(after?.answers).toEqual(before?.answers)
      expect(rig.returned.at(-1)).toBe(host)
      expect(rig.gate.readyAtMs(host)).toBe(10_000)
    },
  )

  test('those in the line of departures are withdrawn at once, and what left before was counted', async () => {
    using rig = createRig(spaced)
    const { clock } = rig.env
    const [first, ...others] = await lookingFor(rig, 5)
    if (first === undefined) throw new Error('none was granted')
    const turns = [first, ...others].map(permit => Promise.resolve(permit.depart()))
    expect(await turns[0]).toBe(true)
    first.sent()
    const pausedMs = clock.nowMs()
    first.settle(asksToWait)
    expect(await Promise.all(turns.slice(1))).toEqual([false, false, false, false])
    expect(clock.nowMs()).toBe(pausedMs)
    expect(others.map(({ isWithdrawn }) => isWithdrawn)).toEqual([true, true, true, true])
    for (const permit of others) permit[Symbol.dispose]()
    await clock.advance(5_000)
    // No departure of theirs puts off the next.
    expect(rig.gate.readyAtMs(host)).toBe(pausedMs + 10_000)
  })

  test('its tokens are there for those after the pause', async () => {
    using rig = createRig({ ...fixed(8), rate: { tokensPerSecond: 0.01, burst: 3 } })
    const [first, second, third] = [rig.gate.acquire(host), rig.gate.acquire(host), rig.gate.acquire(host)]
    expect(first.depart()).toBe(true)
    first.sent()
    first.settle(asksToWait)
    expect([second.depart(), third.depart()]).toEqual([false, false])
    second[Symbol.dispose]()
    third[Symbol.dispose]()
    await rig.env.clock.advance(10_001)
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(rig.env.clock.nowMs())
    const probe = rig.gate.acquire(host)
    expect(probe.depart()).toBe(true)
    probe.sent()
    probe.settle(good)
    expect(rig.gate.readyAtMs(host)).toBeLessThanOrEqual(rig.env.clock.nowMs())
  })

  test.each([['fixed', fixed(4)] as const, ['aimd', adaptive] as const])(
    'what looks for its connection longer than that does not go beside the one probe (%s)',
    async (_, policy) => {
      using rig = createRig(policy)
      const { clock } = rig.env
      const [first, slow] = [rig.gate.acquire(host), rig.gate.acquire(host)]
      first.settle(asksToWait)
      await clock.advance(12_000)
      expect(slow.depart()).toBe(false)
      slow[Symbol.dispose]()
      const probe = rig.gate.acquire(host)
      expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
      expect(probe.depart()).toBe(true)
      probe.sent()
      probe.settle(good)
      expect(rig.gate.acquire(host).depart()).toBe(true)
    },
  )

  test('the probe itself is withdrawn by a later pause, and the next one is another probe', async () => {
    using rig = createRig(fixed(4))
    const { clock } = rig.env
    const [first, late] = [rig.gate.acquire(host), rig.gate.acquire(host)]
    expect([first.depart(), late.depart()]).toEqual([true, true])
    late.sent()
    first.settle(asksToWait)
    await clock.advance(10_000)
    const probe = rig.gate.acquire(host)
    late.settle(asksToWait)
    expect(probe.depart()).toBe(false)
    probe[Symbol.dispose]()
    expect(rig.gate.readyAtMs(host)).toBe(20_000)
    await clock.advance(10_000)
    expect(rig.gate.acquire(host).depart()).toBe(true)
    expect(rig.gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
  })

  test('one that was written already is answered and counted as ever', () => {
    using rig = createRig(fixed(4))
    const [first, second] = [rig.gate.acquire(host), rig.gate.acquire(host)]
    expect(second.depart()).toBe(true)
    second.sent()
    first.settle(asksToWait)
    expect(second.isWithdrawn).toBe(false)
    second.settle(good)
    expect(rig.gate.views()[0]?.answers).toMatchObject({ good: 1, refused: 1, ignored: 0 })
  })
})

test('what was granted before a host was given up is withdrawn, and its own probe after that is not, over and over', async () => {
  using rig = createRig({ ...adaptive, perHost: { policy: 'fixed', max: 8 } })
  const { clock } = rig.env
  const slow = rig.gate.acquire(host)
  for (let nth = 0; nth < 6; nth += 1) {
    rig.gate.acquire(host).settle({ ...good, verdict: 'error', firstByteMs: null })
    await clock.advance(15_000)
  }
  expect(rig.gate.isGivenUp(host)).toBe(true)
  expect(slow.depart()).toBe(false)
  slow[Symbol.dispose]()
  // A robots file is asked for all the same, alone.
  const probe = rig.gate.acquire(host)
  expect(probe.depart()).toBe(true)
})
