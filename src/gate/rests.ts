import type { Clock } from '../core/clock.ts'
import type { HostLane } from './lane.ts'

/**
 * Slots that are kept for a while though their request is over: bad answers are often faster than good ones (see
 * `Limiter.holdMs`). Disposing gives back what still rests, and nothing rests from then on.
 */
export interface Rests extends Disposable {
  /** Keeps a slot of the lane, and gives it back after that. False: not at all, the caller gives it back. */
  keep(lane: HostLane, durationMs: number, giveBack: () => void): boolean
}

export function createRests(clock: Clock): Rests {
  const ends = new Map<Disposable, () => void>()
  let isClosed = false
  return {
    keep(lane, durationMs, giveBack) {
      if (durationMs <= 0 || isClosed) return false
      lane.resting += 1
      const timer = clock.after(durationMs, end)
      ends.set(timer, end)
      function end(): void {
        ends.delete(timer)
        lane.resting -= 1
        giveBack()
      }
      return true
    },
    [Symbol.dispose]() {
      isClosed = true
      for (const [timer, end] of ends) {
        timer[Symbol.dispose]()
        end()
      }
    },
  }
}
