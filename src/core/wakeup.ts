import type { Clock } from './clock.ts'

/** The one place where a loop may sleep: until a time, or until somebody says that something changed. */
export interface Wakeup {
  /** A call while nobody sleeps is remembered, so that a change between "nothing due" and the sleep is not lost. */
  wake(): void
  /** Infinity: until woken. Rejects with the reason of the signal, where one is given: who sleeps often wakes itself instead. */
  sleepUntil(atMs: number, signal?: AbortSignal): Promise<void>
}

export function createWakeup(clock: Clock): Wakeup {
  let woken = false
  let sleeper: (() => void) | null = null
  return {
    wake() {
      woken = true
      sleeper?.()
    },
    async sleepUntil(atMs, signal) {
      signal?.throwIfAborted()
      if (!woken && atMs > clock.nowMs()) {
        await new Promise<void>((resolve, reject) => {
          const timer = atMs === Number.POSITIVE_INFINITY ? null : clock.after(atMs - clock.nowMs(), () => end(resolve))
          const stop = (): void => end(() => reject(signal?.reason))
          function end(how: () => void): void {
            timer?.[Symbol.dispose]()
            signal?.removeEventListener('abort', stop)
            sleeper = null
            how()
          }
          sleeper = () => end(resolve)
          signal?.addEventListener('abort', stop, { once: true })
        })
      }
      woken = false
    },
  }
}
