import type { Clock } from '../core/clock.ts'
import { once } from '../core/gate.ts'

/** While one request is under way. */
export interface StallSpan extends Disposable {
  /** True when the loop was blocked at some time since it began. */
  hasStalled(): boolean
}

/**
 * Notices when our own event loop was blocked: latencies that were being measured then say nothing about a host.
 * One timer, whatever the number of requests, and none without any: a tick costs a microsecond where the loop turns
 * anyway, but a hundred and more where it wakes a process that sleeps.
 */
export interface StallWatch {
  begin(): StallSpan
}

/** A block seldom begins with a tick, and what is left of one is added to it. A turn of so much is not a block. */
const tickMs = 50
/** As long between two looks is a block. It takes two ticks, so that every block as long is seen whenever it begins. */
const blockedMs = 100

export function createStallWatch(clock: Pick<Clock, 'nowMs' | 'after'>): StallWatch {
  let spans = 0
  let stalls = 0
  let lastLookMs = 0
  let timer: Disposable | null = null
  function look(): void {
    const nowMs = clock.nowMs()
    if (spans > 0 && nowMs - lastLookMs >= blockedMs) stalls += 1
    lastLookMs = nowMs
  }
  function tick(): void {
    look()
    timer = clock.after(tickMs, tick)
  }
  return {
    begin() {
      look()
      if (spans === 0) timer = clock.after(tickMs, tick)
      spans += 1
      const before = stalls
      return {
        hasStalled() {
          // Sockets may have their turn before the timer that would notice.
          look()
          return stalls > before
        },
        [Symbol.dispose]: once(() => {
          spans -= 1
          if (spans === 0) timer?.[Symbol.dispose]()
        }),
      }
    },
  }
}

/** Simulated time never stalls. */
export const noStalls: StallWatch = {
  begin: () => ({ hasStalled: () => false, [Symbol.dispose]() {} }),
}
