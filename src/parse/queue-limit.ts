import type { Clock } from '../core/clock.ts'
import type { Batchable, Line } from './batch.ts'

interface Waiting extends Batchable {
  /** When it came. */
  readonly enteredMs: number
}

/**
 * How long pages may wait for a thread, judged by a clock: no thread comes free for as long as pages keep them all. One
 * timer for all that wait, since those that came first are late first.
 */
export interface QueueLimit extends Disposable {
  /** Those that are late by now leave the line, and end. */
  judge(): void
  /** Pages came to the line, or the last of them left it. */
  watch(): void
}

export interface QueueLimitOptions<T extends Waiting> {
  readonly line: Line<T>
  readonly clock: Clock
  readonly queueMs: number
  readonly end: (page: T, waitedMs: number) => void
}

export function createQueueLimit<T extends Waiting>({ line, clock, queueMs, end }: QueueLimitOptions<T>): QueueLimit {
  let timer: Disposable | null = null

  function judge(): void {
    const nowMs = clock.nowMs()
    for (const page of line.takeWhile(({ enteredMs }) => nowMs - enteredMs >= queueMs))
      end(page, nowMs - page.enteredMs)
  }

  function rest(): void {
    timer?.[Symbol.dispose]()
    timer = null
  }

  function watch(): void {
    const { first } = line
    if (first === undefined) rest()
    // It may be that of one that has left: then it comes early, and is set anew.
    else
      timer ??= clock.after(first.enteredMs + queueMs - clock.nowMs(), () => {
        timer = null
        judge()
        watch()
      })
  }

  return { judge, watch, [Symbol.dispose]: rest }
}
