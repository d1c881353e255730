export interface ThreadUse {
  readonly threads: number
  readonly durationMs: number
  readonly pages: number
  /** CPU of all worker threads. */
  readonly workerCpuMs: number
}

/** A thread that is busy more than this is one that pages wait for at times. */
const fullShare = 0.7
/** Shorter runs are mostly start and end. */
const leastMs = 2_000
const leastPages = 100

/** One sentence where fewer threads would have done, by what they measured; null where that cannot be said. */
export function threadAdviceOf({ threads, durationMs, pages, workerCpuMs }: ThreadUse): string | null {
  if (threads < 2 || durationMs < leastMs || pages < leastPages) return null
  const busyThreads = workerCpuMs / durationMs
  const enough = Math.max(1, Math.ceil(busyThreads / fullShare))
  if (enough >= threads) return null
  const idle = Math.round((1 - busyThreads / threads) * 100)
  return `Worker threads were idle ${idle} % of the time: ${enough === 1 ? '1 thread' : `${enough} threads`} would do (--threads ${enough}).`
}
