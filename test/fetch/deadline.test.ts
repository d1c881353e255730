import { describe, expect, test } from 'vitest'
import { createDeadline, drainMs, dueOf, type Limit, type Marks, rateGraceMs } from '../../src/fetch/deadline.ts'
import { createPulse } from '../../src/fetch/pulse.ts'
import { createHandClock, timeouts } from './kit.ts'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const marks = (over: Partial<Marks>): Marks => ({
  phase: 'receiving',
  startedAtMs: 0,
  phaseAtMs: 0,
  lastByteAtMs: 0,
  bytes: 0,
  ...over,
})

describe('what comes first', () => {
  const limits = { ...timeouts, minBytesPerSecond: 1_000 }
  const cases: readonly (readonly [string, Partial<Marks>, Limit, number])[] = [
    ['a connection has connectMs', { phase: 'connecting', phaseAtMs: 100 }, 'connectMs', 5_100],
    ['an answer has firstByteMs', { phase: 'waiting', phaseAtMs: 100 }, 'firstByteMs', 15_100],
    ['a body has idleMs from its last byte', { lastByteAtMs: 9_000, bytes: 1e6 }, 'idleMs', 19_000],
    ['everything has totalMs', { phase: 'waiting', phaseAtMs: 59_000 }, 'totalMs', 60_000],
    ['a drip has its grace', { lastByteAtMs: 9_000, bytes: 9 }, 'minBytesPerSecond', rateGraceMs],
    ['after the grace the rate counts', { lastByteAtMs: 14_000, bytes: 15_000 }, 'minBytesPerSecond', 15_000],
    ['the rest of an error page has little', { phase: 'draining', phaseAtMs: 500 }, 'drainMs', 500 + drainMs],
  ]
  for (const [name, over, limit, atMs] of cases)
    test(name, () => {
      expect(dueOf(marks(over), limits)).toEqual({ limit, atMs })
    })

  test('a minimum rate of 0 is no clock', () => {
    expect(dueOf(marks({ lastByteAtMs: 55_000 }), timeouts).limit).toBe('totalMs')
  })
})

describe('a deadline', () => {
  function watch(limits = timeouts) {
    const clock = createHandClock()
    const expired: Limit[] = []
    const pulse = createPulse(clock.env.clock)
    pulse.keep()
    const deadline = createDeadline(clock.env.clock, pulse, limits, limit => void expired.push(limit))
    /** Beside the one of the pulse. */
    const timers = (): number => clock.pendingTimers - 1
    return { clock, deadline, expired, timers }
  }

  test('is told once, and leaves no timer', async () => {
    const { clock, deadline, expired, timers } = watch()
    deadline.enter('waiting')
    clock.advance(15_000)
    await turn()
    clock.advance(100_000)
    await turn()
    expect(expired).toEqual(['firstByteMs'])
    expect(timers()).toBe(0)
  })

  test('needs one timer, however many chunks come', async () => {
    const { clock, deadline, expired, timers } = watch()
    deadline.enter('receiving')
    for (let at = 0; at < 50_000; at += 10) {
      deadline.received(100)
      expect(timers()).toBe(1)
      clock.advance(10)
    }
    await turn()
    expect(expired).toEqual([])
    clock.advance(10_000)
    await turn()
    expect(expired).toEqual(['idleMs'])
  })

  test('is over when disposed, also within the turn of judgement', async () => {
    const { clock, deadline, expired, timers } = watch()
    deadline.enter('waiting')
    clock.advance(15_000)
    deadline[Symbol.dispose]()
    await turn()
    expect(expired).toEqual([])
    expect(timers()).toBe(0)
  })

  test('that passed while we were stalled counts what the sockets have had meanwhile', async () => {
    const { clock, deadline, expired } = watch()
    deadline.enter('waiting')
    clock.stall(16_000)
    deadline.enter('receiving')
    await turn()
    expect(expired).toEqual([])
    clock.advance(9_999)
    await turn()
    expect(expired).toEqual([])
  })

  test('moves by the time we lost ourselves', async () => {
    const { clock, deadline, expired } = watch({ ...timeouts, connectMs: 2_000 })
    deadline.enter('connecting')
    clock.stall(3_000)
    await turn()
    expect(expired).toEqual([])
    // The pulse does not know of the first 100 ms.
    clock.advance(1_899)
    await turn()
    expect(expired).toEqual([])
    clock.advance(1)
    await turn()
    expect(expired).toEqual(['connectMs'])
  })

  test('moves by a stall that ended before it, too', async () => {
    const { clock, deadline, expired } = watch({ ...timeouts, connectMs: 2_000 })
    deadline.enter('connecting')
    clock.stall(1_900)
    clock.advance(1_000)
    await turn()
    expect(expired).toEqual([])
    clock.advance(900)
    await turn()
    expect(expired).toEqual(['connectMs'])
  })

  test('comes in the end even when our loop is always blocked', async () => {
    const { clock, deadline, expired } = watch({ ...timeouts, totalMs: 1_000 })
    deadline.enter('waiting')
    for (let round = 0; round < 3 && expired.length === 0; round += 1) {
      clock.stall(1_100)
      await turn()
    }
    expect(expired).toEqual(['totalMs'])
  })

  test('needs a pulse only while somebody keeps it', () => {
    const clock = createHandClock()
    const pulse = createPulse(clock.env.clock)
    pulse.keep()
    pulse.keep()
    clock.advance(1_000)
    pulse.release()
    expect(clock.pendingTimers).toBe(1)
    pulse.release()
    expect(clock.pendingTimers).toBe(0)
  })
})
