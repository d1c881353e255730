/** Whose work a thread of a run does. */
export const threadKinds = ['main', 'parse', 'v8', 'state', 'others'] as const
export type ThreadKind = (typeof threadKinds)[number]

export interface ThreadFacts {
  /** As the system has it; worker threads have one of their own where somebody gave it. */
  readonly name: string
  readonly isMain: boolean
  /** Threads that parse have lowered theirs, so that the main thread is never kept waiting. */
  readonly nice: number
  readonly cpuMs: number
}

/** V8's compile and collect garbage for all of them, and the profiler's, where there is one, is V8's as well. */
const ofV8 = /^(?:V8Worker|DelayedTaskSche|v8:)/
const ofNode = /^(?:libuv-worker|SignalInspector)$/

export function kindOf({ name, isMain, nice }: ThreadFacts): ThreadKind {
  if (isMain) return 'main'
  if (ofV8.test(name)) return 'v8'
  if (ofNode.test(name)) return 'others'
  return nice > 0 ? 'parse' : 'state'
}

/**
 * What the system says of a thread, of its files `stat` and `schedstat` below `/proc`; the latter counts to the nanosecond.
 * A name stands in brackets and may have some of its own.
 */
export function threadFacts(stat: string, schedstat: string, isMain: boolean): ThreadFacts {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { name, isMain, nice: Number(fields[16]), cpuMs: Number(schedstat.split(' ')[0]) / 1e6 }
}

export type KindSums = Readonly<Record<ThreadKind, number>>

export function sumsByKind(threads: Iterable<ThreadFacts>): KindSums {
  const sums = { main: 0, parse: 0, v8: 0, state: 0, others: 0 }
  for (const thread of threads) sums[kindOf(thread)] += thread.cpuMs
  return sums
}
