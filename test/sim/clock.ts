import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, sleepOn } from '../../src/core/clock.ts'
import { createTimeHeap } from '../../src/core/time-heap.ts'

/** Time that moves only when nothing else can: hours pass in a second, and nothing races. */
export interface SimClock extends Clock {
  /**
   * Starts `main` and drives time until it has ended. A timer fires only when everything that the one before set going
   * has come to rest; equal times fire in the order in which the timers were made.
   * @throws Error `deadlock at t=... ms` as soon as no timer is left that could wake `main`: a lost wake-up
   */
  run<T>(main: () => Promise<T>): Promise<T>
  /**
   * For unit tests that hold the clock in their own hands. Fires what falls due on the way, each at its own time.
   * With nothing due, time has moved when the call returns, so that a test without promises need not await it.
   */
  advance(durationMs: number): Promise<void>
  /** Somebody sets the clock on the wall: `nowMs` and timers know nothing of it. */
  jumpWall(byMs: number): void
  /** Timers set and neither fired nor disposed. */
  readonly pendingTimers: number
}

const epochMs = Date.UTC(2026, 0, 1)

/**
 * Microtasks end before the next turn of the event loop. Two things go on over turns and still need no timer: files
 * (sinks are real in some tests) and code that lets a turn pass on purpose.
 */
const isBusy = (): boolean =>
  process.getActiveResourcesInfo().some(resource => resource === 'Immediate' || resource.includes('Req'))

async function rest(): Promise<void> {
  do await nextTurn()
  while (isBusy())
}

export function createSimClock(): SimClock {
  const timers = createTimeHeap<() => void>()
  let nowMs = 0
  let wallAtZeroMs = epochMs
  let isRunning = false

  function after(durationMs: number, run: () => void): Disposable {
    if (Number.isNaN(durationMs)) throw new Error('a timer was set for NaN ms')
    const timer = timers.push(nowMs + Math.max(0, durationMs), run)
    return { [Symbol.dispose]: () => timers.remove(timer) }
  }

  function fireNext(): void {
    nowMs = timers.firstAtMs
    timers.pop()?.()
  }

  async function drive(hasEnded: () => boolean): Promise<void> {
    for (;;) {
      await rest()
      if (hasEnded()) return
      if (timers.firstAtMs === Number.POSITIVE_INFINITY) throw new Error(`deadlock at t=${nowMs} ms`)
      fireNext()
    }
  }

  return {
    nowMs: () => nowMs,
    wallIso: () => new Date(wallAtZeroMs + nowMs).toISOString(),
    after,
    sleep: sleepOn(after),
    async run(main) {
      if (isRunning) throw new Error('a simulated clock drives one main at a time')
      isRunning = true
      let hasEnded = false
      const end = (): void => {
        hasEnded = true
      }
      try {
        const result = main()
        result.then(end, end)
        await drive(() => hasEnded)
        return await result
      } finally {
        isRunning = false
      }
    },
    async advance(durationMs) {
      const untilMs = nowMs + durationMs
      while (timers.firstAtMs <= untilMs) {
        fireNext()
        await rest()
      }
      nowMs = untilMs
    },
    jumpWall(byMs) {
      wallAtZeroMs += byMs
    },
    get pendingTimers() {
      return timers.size
    },
  }
}
