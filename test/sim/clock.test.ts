import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createWakeup } from '../../src/core/wakeup.ts'
import { createSimClock } from './clock.ts'

const never = new AbortController().signal

describe('simulated time', () => {
  test('moves to the next timer and nowhere else', async () => {
    const clock = createSimClock()
    const seen: number[] = []
    await clock.run(async () => {
      for (const durationMs of [10, 3_600_000, 0.5]) {
        await clock.sleep(durationMs, never)
        seen.push(clock.nowMs())
      }
    })
    expect(seen).toEqual([10, 3_600_010, 3_600_010.5])
  })

  test('fires equal times in the order in which the timers were made', async () => {
    const clock = createSimClock()
    const fired: string[] = []
    await clock.run(async () => {
      clock.after(5, () => fired.push('first'))
      clock.after(2, () => clock.after(3, () => fired.push('third')))
      clock.after(5, () => fired.push('second'))
      await clock.sleep(5, never)
      await clock.sleep(1, never)
    })
    expect(fired).toEqual(['first', 'second', 'third'])
  })

  test('lets everything that a timer set going come to rest before the next one fires', async () => {
    const clock = createSimClock()
    const seen: string[] = []
    await clock.run(async () => {
      clock.after(1, async () => {
        for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
        for (let step = 0; step < 100; step++) await null
        seen.push(`turns ${clock.nowMs()}`)
      })
      clock.after(2, async () => {
        await readFile(import.meta.filename)
        seen.push(`file ${clock.nowMs()}`)
      })
      await clock.sleep(3, never)
    })
    expect(seen).toEqual(['turns 1', 'file 2'])
  })

  test('does not move for a disposed timer, which leaves nothing behind', async () => {
    const clock = createSimClock()
    await clock.run(async () => {
      for (let count = 0; count < 1000; count++) clock.after(1, () => expect.unreachable())[Symbol.dispose]()
      expect(clock.pendingTimers).toBe(0)
      await clock.sleep(7, never)
    })
    expect(clock.nowMs()).toBe(7)
  })

  test('is wall time from a fixed day on', async () => {
    const clock = createSimClock()
    await clock.advance(90_061_001)
    expect(clock.wallIso()).toBe('2026-01-02T01:01:01.001Z')
  })

  test('rejects a sleep at once when its signal aborts, with the reason', async () => {
    const clock = createSimClock()
    const stop = new AbortController()
    await clock.run(async () => {
      clock.after(4, () => stop.abort(new Error('enough')))
      await expect(clock.sleep(1e9, stop.signal)).rejects.toThrow('enough')
    })
    expect(clock.nowMs()).toBe(4)
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('a run', () => {
  test('reports a lost wake-up at once, with the time', async () => {
    const clock = createSimClock()
    const wakeup = createWakeup(clock)
    const stuck = clock.run(async () => {
      await clock.sleep(1234, never)
      await wakeup.sleepUntil(Number.POSITIVE_INFINITY, never)
    })
    await expect(stuck).rejects.toThrow('deadlock at t=1234 ms')
  })

  test('takes a timer that never fires for a deadlock', async () => {
    const clock = createSimClock()
    await expect(clock.run(() => clock.sleep(Number.POSITIVE_INFINITY, never))).rejects.toThrow('deadlock at t=0 ms')
  })

  test('hands on what main returns, and what it throws', async () => {
    const clock = createSimClock()
    expect(await clock.run(async () => 42)).toBe(42)
    await expect(clock.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const thrower = (): Promise<void> => {
      throw new Error('not even a promise')
    }
    await expect(clock.run(thrower)).rejects.toThrow('not even a promise')
    await expect(clock.run(async () => clock.nowMs())).resolves.toBe(0)
  })

  test('ends with main, whatever timers are left', async () => {
    const clock = createSimClock()
    await clock.run(async () => {
      clock.after(1e6, () => expect.unreachable())
      await clock.sleep(1, never)
    })
    expect(clock.nowMs()).toBe(1)
  })
})

describe('a clock held by hand', () => {
  test('fires what falls due on the way, each at its own time', async () => {
    const clock = createSimClock()
    const seen: number[] = []
    const tick = (): void => {
      seen.push(clock.nowMs())
      clock.after(10, tick)
    }
    clock.after(10, tick)
    await clock.advance(35)
    expect(seen).toEqual([10, 20, 30])
    expect(clock.nowMs()).toBe(35)
  })

  test('has moved when the call returns where nothing was due', () => {
    const clock = createSimClock()
    void clock.advance(50)
    expect(clock.nowMs()).toBe(50)
  })
})
