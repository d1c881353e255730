import { Piscina } from 'piscina'
import { onAbort } from '../core/abort.ts'
import { createAbortHub } from '../core/abort-hub.ts'
import type { Clock } from '../core/clock.ts'
import { type ErrorCode, messageOf } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import { threadOptions } from '../core/thread-options.ts'
import type { ParseReply } from '../core/wire.ts'
import type { StageRules } from '../stage/stage.ts'
import { createEnder } from './ender.ts'
import { createReadings } from './readings.ts'
import { type Ended, heavySentence, type Vitals, watchTask } from './watch.ts'
import {
  type Answer,
  createLaneCells,
  isAnswer,
  isHeavy,
  type LaneTask,
  type WorkerSetup,
  type WorkerTask,
} from './worker-task.ts'

export interface WorkerPoolOptions {
  readonly rules: StageRules
  readonly clock: Clock
  readonly threads: number
  /** How long one page may run in its thread; the time it queued is not counted. */
  readonly parseMs: number
  /** What one thread may hold, heap and arrays outside of it; a page that needs more ends as PARSE_CRASHED. */
  readonly memoryMegabytes: number
  /** A thread was ended, or died, and is being replaced. */
  readonly onRestart: (code: ErrorCode) => void
  /** The thread entry; the one of this build unless given. */
  readonly entry?: URL
}

/** The task ended before its result was there; those of its pages that have no reply can be tried again. */
export type CutShort =
  /** Page `nth` is to blame; `startedAtMs` is 0 where not even the first of the task had begun. */
  | ({ readonly kind: 'ended'; readonly nth: number; readonly startedAtMs: number } & Ended)
  /** The page that ran was not wanted any more. */
  | { readonly kind: 'stopped' }

export type TaskEnd<T> = { readonly kind: 'finished'; readonly result: T; readonly startedAtMs: number } | CutShort

export type OnReply = (nth: number, reply: ParseReply, startedAtMs: number) => void

export interface Outing {
  readonly transferList: ArrayBuffer[]
  /** One for each page of the task: ends it, and its thread where that has begun with it. */
  readonly signals: readonly AbortSignal[]
  /** Hears the replies of all pages but the last, whose is the result. */
  readonly onReply: OnReply
}

/** Worker threads that take one task at a time each. A thread that ends is replaced. */
export interface WorkerPool extends AsyncDisposable {
  /** To its first end: the result, a death, or an end from outside. No two tasks may be on a lane at once. */
  run<T>(task: LaneTask, outing: Outing): Promise<TaskEnd<T>>
}

/**
 * V8's own limit, for which nothing is set aside: far enough above any ceiling that the largest single object (an
 * array of 1 GB) fits in between. Coming near it would end the process; see `watchTask`.
 */
const lastResortMegabytes = 4_096

/** Twice what a page leaves behind; left to itself V8 lets it grow to ten times as much, and is no quicker for it. */
const youngMegabytes = 12

/**
 * A user's module is given a tree of its page, which takes megabytes and lives until it has been read. With this a page
 * costs from 15 to 25 % less CPU than with the room that is enough for others, all of it garbage collection; twice as
 * much again brings little.
 */
const youngMegabytesOfTrees = 24

/** A task that is with a thread. */
interface Flight {
  readonly id: number
  readonly hear: (answer: Answer) => void
  readonly end: (why: Ended) => void
  /** Without a reason: the pool is closed. */
  readonly stop: (end: CutShort | null) => void
}

/** @param closing ends all tasks, which reject with its reason */
export function openWorkerPool(options: WorkerPoolOptions, closing: AbortSignal): WorkerPool {
  const { clock, threads, parseMs, rules, onRestart } = options
  const ceilingBytes = options.memoryMegabytes * 1e6
  const cells = createLaneCells(threads)
  const setup: WorkerSetup = { rules, cells, ceilingBytes }
  /** By lane. */
  const flights = new Map<number, Flight>()
  const hub = createAbortHub()
  const readings = createReadings(clock)
  let lastId = 0
  const pool = new Piscina<WorkerTask, unknown>({
    ...threadOptions(),
    filename: (options.entry ?? ownModule('workers/parse')).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    maxQueue: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup,
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(lastResortMegabytes, 4 * options.memoryMegabytes),
      maxYoungGenerationSizeMb: rules.pages.some(({ module }) => module !== undefined)
        ? youngMegabytesOfTrees
        : youngMegabytes,
    },
  })
  // A thread that died without a task: while it started, or between two pages. Piscina tells none of those that wait.
  pool.on('error', thrown => {
    onRestart('PARSE_CRASHED')
    for (const [lane, { end }] of flights)
      if (startOf(lane) === 0) end({ code: 'PARSE_CRASHED', what: messageOf(thrown) })
  })
  pool.on('message', message => {
    if (isAnswer(message)) flightOf(message.id)?.hear(message)
    else if (isHeavy(message))
      flightOf(message.id)?.end({ code: 'PARSE_CRASHED', what: heavySentence(message.heldBytes, ceilingBytes) })
  })

  onAbort(closing, () => {
    for (const { stop } of flights.values()) stop(null)
  })

  const flightOf = (id: number): Flight | undefined => flights.values().find(flight => flight.id === id)
  const startOf = (lane: number): number => cells.startedAtMs[lane] ?? 0
  const nthOf = (lane: number): number => cells.nths[lane] ?? 0

  async function vitalsOf(lane: number, wantsTime: boolean): Promise<Vitals> {
    const worker = pool.threads.find(({ threadId }) => threadId === cells.threadIds[lane])
    if (worker === undefined) return nothing
    const [{ used_heap_size, external_memory }, { user, system }] = await Promise.all([
      worker.getHeapStatistics(),
      wantsTime ? worker.cpuUsage() : noTime,
    ])
    return {
      heldBytes: used_heap_size + external_memory,
      cpuMs: (user + system) / 1000 - (cells.startedCpuMs[lane] ?? 0),
      idleMs: worker.performance.eventLoopUtilization().idle - (cells.startedIdleMs[lane] ?? 0),
    }
  }

  return {
    async run<T>(task: LaneTask, { transferList, signals, onReply }: Outing): Promise<TaskEnd<T>> {
      closing.throwIfAborted()
      const { lane } = task
      cells.startedAtMs[lane] = 0
      cells.threadIds[lane] = 0
      cells.nths[lane] = 0
      const ender = createEnder()
      const early = Promise.withResolvers<void>()
      const state: { end: CutShort | null; missing: number } = { end: null, missing: Math.max(0, signals.length - 1) }
      function stop(end: CutShort | null): void {
        state.end ??= end
        early.resolve()
        // A task whose result comes meanwhile has its result.
        readings.endSafely(ender.end)
      }
      const endedBy = (why: Ended) => ({ kind: 'ended', nth: nthOf(lane), startedAtMs: startOf(lane), ...why }) as const
      const end = (why: Ended): void => stop(endedBy(why))
      function hear({ nth, reply, startedAtMs }: Answer): void {
        state.missing -= 1
        onReply(nth, reply, startedAtMs)
        if (state.missing === 0) early.resolve()
      }
      using stops = new DisposableStack()
      for (const [nth, signal] of signals.entries()) {
        const stopPage = (): void => {
          if (nthOf(lane) === nth) stop({ kind: 'stopped' })
        }
        hub.add(signal, stopPage)
        stops.defer(() => hub.remove(signal, stopPage))
      }
      using _watching = watchTask({
        clock,
        startedAtMs: () => startOf(lane),
        limitMs: parseMs,
        read: wantsTime => readings.take(() => vitalsOf(lane, wantsTime)),
        ceilingBytes,
        end,
      })
      lastId += 1
      const id = lastId
      flights.set(lane, { id, hear, end, stop })
      try {
        const result = (await pool.run({ ...task, id }, { transferList, signal: ender.signal })) as T
        // Replies of the pages before the last come by another way, which may be the longer one.
        if (state.missing > 0) await early.promise
        if (state.missing === 0) return { kind: 'finished', result, startedAtMs: startOf(lane) }
        throw new Error('its replies were lost')
      } catch (thrown) {
        closing.throwIfAborted()
        const why = state.end ?? endedBy({ code: 'PARSE_CRASHED', what: `ended its thread: ${messageOf(thrown)}` })
        if (why.kind === 'ended') onRestart(why.code)
        return why
      } finally {
        flights.delete(lane)
      }
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>(resolve => readings.endSafely(resolve))
      await pool.destroy()
    },
  }
}

const noTime = { user: 0, system: 0 }

/** Of a thread that is gone. */
const nothing: Vitals = { heldBytes: 0, cpuMs: 0, idleMs: 0 }
