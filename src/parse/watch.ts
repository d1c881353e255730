import type { Clock } from '../core/clock.ts'
import type { ErrorCode } from '../core/errors.ts'

/** Why a task was ended from outside. */
export interface Ended {
  readonly code: ErrorCode
  readonly what: string
}

/** How a thread is. */
export interface Vitals {
  readonly heldBytes: number
  /** Since the task began: CPU time, and time in which the thread waited for something and had nothing to do. */
  readonly cpuMs: number
  readonly idleMs: number
}

export interface Watched {
  readonly clock: Clock
  /** When its thread began with it; 0 before that. */
  readonly startedAtMs: () => number
  /** How long what runs by now may run; the time it queued is not counted. */
  readonly limitMs: () => number
  /**
   * What its thread holds in memory by now, and, where that is wanted, the time it has had since it began. Null: it could
   * not be asked.
   */
  readonly read: (wantsTime: boolean) => Promise<Vitals | null>
  readonly ceilingBytes: number
  readonly end: (why: Ended) => void
}

/** A task that has not even begun after this long is in a thread that will never begin. */
const startLimitMs = 30_000

/**
 * Most pages have ended before anybody looks; one that allocates as fast as it can gains some 100 MB meanwhile. Not more
 * often: a look interrupts the page.
 */
const lookMs = 50

/** However little of it a thread got: after so many times its limit a task is ended. */
const mostStretch = 4

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/**
 * Keeps an eye on a task that runs in another thread: on its time, and on the memory of that thread, inside V8's heap
 * and outside of it.
 *
 * **Time** is what the task used or waited for. What went by while the thread wanted to run and the system gave its core
 * to others is not the page's: workers have the lowest priority, and on a busy machine harmless pages would end.
 *
 *     starved = elapsed - CPU time of the thread - idle time of its event loop
 *
 * **Memory**: V8's own limit is no help. When a worker comes near it Node asks the worker to stop and allows it 16 MB
 * more, and one array, map or string that takes more than that ends the whole process, main thread and all. So the limit
 * given to V8 is out of reach, and the ceiling is kept from here. Both are asked of the thread by way of interrupts, which
 * it answers even in the midst of a loop.
 */
export function watchTask(watched: Watched): Disposable {
  const { clock, ceilingBytes } = watched
  const handedAtMs = clock.nowMs()
  let timer = clock.after(Math.min(lookMs, watched.limitMs()), look)
  let isReading = false
  let isOver = false

  function end(why: Ended): void {
    isOver = true
    watched.end(why)
  }

  function look(): void {
    const nowMs = clock.nowMs()
    // Before the start: what begins between the two would be judged by the limit of what follows it.
    const limitMs = watched.limitMs()
    const startMs = watched.startedAtMs()
    if (startMs === 0 && nowMs - handedAtMs >= startLimitMs) end(neverBegan)
    else if (startMs > 0 && nowMs - startMs >= mostStretch * limitMs) end(tookTooLong(limitMs))
    else if (startMs > 0 && !isReading) void examine(startMs, limitMs)
    if (isOver) return
    const leftMs = startMs + limitMs - nowMs
    timer = clock.after(startMs > 0 && leftMs > 0 ? Math.min(leftMs, lookMs) : lookMs, look)
  }

  async function examine(startMs: number, limitMs: number): Promise<void> {
    isReading = true
    const isLate = clock.nowMs() - startMs >= limitMs
    // A thread that ends meanwhile has nothing to tell; its end is told elsewhere.
    const vitals = await watched.read(isLate).catch(() => null)
    isReading = false
    if (isOver || vitals === null) return
    const { heldBytes, cpuMs, idleMs } = vitals
    if (heldBytes > ceilingBytes) end({ code: 'PARSE_CRASHED', what: heavySentence(heldBytes, ceilingBytes) })
    else if (isLate && cpuMs + idleMs >= limitMs) end(tookTooLong(limitMs))
  }

  return {
    [Symbol.dispose]() {
      isOver = true
      timer[Symbol.dispose]()
    },
  }
}

const tookTooLong = (limitMs: number): Ended => ({ code: 'PARSE_TIMEOUT', what: `took longer than ${limitMs} ms` })

const neverBegan: Ended = {
  code: 'PARSE_CRASHED',
  what: `found no thread that began with it within ${startLimitMs / 1000} s`,
}

export const heavySentence = (heldBytes: number, ceilingBytes: number): string =>
  `made its thread hold ${megabytes(heldBytes)} of memory, above the ceiling of ${megabytes(ceilingBytes)}`
