import type { Clock } from '../core/clock.ts'

/**
 * What is being asked of the threads of a pool. A thread owns what it was asked with until it has answered; one that ends
 * meanwhile leaves that to whoever takes it apart, and the process may fall with it. So nobody ends a thread while
 * any is being asked, and nobody is asked while one is to end. Each answers within a millisecond as a rule, whatever it
 * runs; one that does not (it is in the midst of native code) keeps nobody waiting for long.
 */
export interface Readings {
  /** Null where a thread is about to end, and nobody may be asked. */
  take<T>(ask: () => Promise<T>): Promise<T | null>
  /** Ends a thread as soon as nothing is being read: at once as a rule. */
  endSafely(end: () => void): void
}

const longestWaitMs = 200

export function createReadings(clock: Clock): Readings {
  const underWay = new Set<Promise<unknown>>()
  let ends: (() => void)[] = []
  let timer: Disposable | null = null

  function endAll(): void {
    timer?.[Symbol.dispose]()
    timer = null
    // Whoever has not answered by now may never do so: it keeps nobody else waiting.
    underWay.clear()
    const due = ends
    ends = []
    for (const end of due) end()
  }

  return {
    async take(ask) {
      if (ends.length > 0) return null
      const answer = ask()
      underWay.add(answer)
      try {
        return await answer
      } finally {
        if (underWay.delete(answer) && underWay.size === 0 && ends.length > 0) endAll()
      }
    },
    endSafely(end) {
      if (underWay.size === 0) return end()
      ends.push(end)
      timer ??= clock.after(longestWaitMs, endAll)
    },
  }
}
