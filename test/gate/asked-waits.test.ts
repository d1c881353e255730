import { describe, expect, test } from 'vitest'
import type { Reading } from '../../src/core/outcome.ts'
import { newAskedWaits, noteAskedWait } from '../../src/gate/asked-waits.ts'
import { adaptive, createRig, good, host, refused } from './rig.ts'

const patienceMs = 600_000
const asking = (seconds: number): Reading => ({ ...refused, retryAfterMs: seconds * 1_000 })

/** Each answer at its time, to a request of a moment before; when the host was given up, and until when. */
function lifeOf(answers: readonly (readonly [atMs: number, reading: Reading])[], patience = patienceMs) {
  const asked = newAskedWaits()
  const givenUpAtMs = answers.flatMap(([nowMs, reading]) =>
    noteAskedWait(asked, reading, { nowMs, startedMs: nowMs - 1, pausedUntilMs: 0 }, patience) ? [nowMs] : [],
  )
  return { givenUpAtMs, untilMs: asked.givenUpUntilMs, totalMs: asked.totalMs }
}

describe('a host that asks to wait', () => {
  test('for longer than a URL may be kept waiting is given up until that wait ends', () => {
    expect(lifeOf([[0, asking(86_400)]])).toMatchObject({ givenUpAtMs: [0], untilMs: 86_400_000 })
    expect(lifeOf([[0, asking(600)]])).toMatchObject({ givenUpAtMs: [], untilMs: 0 })
  })

  test('again and again is given up when its waits come to more than that, and told of once', () => {
    const answers = [0, 300, 600, 601].map(atSeconds => [atSeconds * 1_000, asking(300)] as const)
    expect(lifeOf(answers)).toMatchObject({ givenUpAtMs: [600_000], untilMs: 901_000 })
  })

  test('is not blamed twice for waits that overlap', () => {
    const burst = Array.from({ length: 30 }, (_, nth) => [nth, asking(300)] as const)
    expect(lifeOf(burst)).toMatchObject({ givenUpAtMs: [], totalMs: 300_029 })
  })

  test('and is well in between begins anew', () => {
    const answers = Array.from({ length: 20 }, (_, nth) => [nth * 300_000, nth % 2 === 0 ? asking(300) : good] as const)
    expect(lifeOf(answers).givenUpAtMs).toEqual([])
  })

  test('is not given up for a short wait where no URL may be kept waiting', () => {
    expect(lifeOf([[0, asking(5)]], 0).givenUpAtMs).toEqual([])
    expect(lifeOf([[0, asking(61)]], 0).givenUpAtMs).toEqual([0])
  })

  test('is not taken back by a page that it was asked for before', () => {
    const asked = newAskedWaits()
    noteAskedWait(asked, asking(86_400), { nowMs: 100, startedMs: 0, pausedUntilMs: 0 }, patienceMs)
    noteAskedWait(asked, good, { nowMs: 200, startedMs: 50, pausedUntilMs: 0 }, patienceMs)
    expect(asked.givenUpUntilMs).toBe(86_400_100)
    noteAskedWait(asked, good, { nowMs: 400, startedMs: 300, pausedUntilMs: 0 }, patienceMs)
    expect(asked).toEqual(newAskedWaits())
  })

  test('is given up for as long as its lane is paused, which may be somewhat longer', () => {
    const asked = newAskedWaits()
    noteAskedWait(asked, asking(86_400), { nowMs: 0, startedMs: 0, pausedUntilMs: 90_000_000 }, patienceMs)
    expect(asked.givenUpUntilMs).toBe(90_000_000)
  })
})

test('when the wait is over one URL may go; a good answer takes the host back, another wait gives it up anew', async () => {
  for (const isBack of [true, false]) {
    using rig = createRig(adaptive)
    const { gate, env } = rig
    gate.acquire(host).settle(asking(86_400))
    expect(gate.isGivenUp(host)).toBe(true)
    expect(gate.explain(host)).toBe('given up: it asked to wait 86400 s, which is above retries.totalWaitMs (600000)')
    await env.clock.advance(gate.readyAtMs(host))
    expect(gate.isGivenUp(host)).toBe(false)
    const probe = gate.acquire(host)
    expect(gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    await env.clock.advance(100)
    probe.settle(isBack ? good : asking(5))
    expect(gate.isGivenUp(host)).toBe(!isBack)
  }
})
