import type { Clock } from '../core/clock.ts'

/**
 * Notices when our own event loop was blocked: latencies that were being measured then say nothing about a host.
 * One timer, whatever the number of requests.
 */
export interface StallWatch extends Disposable {
  /** True when the loop was blocked at some time since. */
  stalledSince(sinceMs: number): boolean
}

const tickMs = 100
/** Late by this much counts as blocked: well above what a busy but healthy loop shows. */
const blockedMs = 100

export function createStallWatch(clock: Clock): StallWatch {
  let lastStallMs = Number.NEGATIVE_INFINITY
  let lastTickMs = clock.nowMs()
  let timer = clock.after(tickMs, tick)
  function tick(): void {
    const nowMs = clock.nowMs()
    if (nowMs - lastTickMs > tickMs + blockedMs) lastStallMs = nowMs
    lastTickMs = nowMs
    timer = clock.after(tickMs, tick)
  }
  return {
    // Asked before the tick that would notice, a blocked loop still shows in the time since the last one.
    stalledSince: sinceMs => lastStallMs >= sinceMs || clock.nowMs() - lastTickMs > tickMs + blockedMs,
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  }
}
