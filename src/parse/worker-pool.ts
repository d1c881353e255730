import { Piscina } from 'piscina'
import { onAbort } from '../core/abort.ts'
import { createAbortHub } from '../core/abort-hub.ts'
import type { Clock } from '../core/clock.ts'
import { type ErrorCode, messageOf } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import { threadOptions } from '../core/thread-options.ts'
import { youngLimit } from '../core/young-limit.ts'
import type { StageRules } from '../stage/stage.ts'
import { createFlight, type Flight, type Outing, type TaskEnd } from './flight.ts'
import { createLaneCells, type Lane, laneOf } from './lane.ts'
import { createReadings } from './readings.ts'
import { heavySentence, type Vitals, watchTask } from './watch.ts'
import { isAnswer, isHeavy, type LaneTask, type WorkerSetup, type WorkerTask } from './worker-task.ts'

export interface WorkerPoolOptions {
  readonly rules: StageRules
  readonly clock: Clock
  readonly threads: number
  /** How long one page may run in its thread; the time it queued is not counted. */
  readonly parseMs: number
  /** What one thread may hold, heap and arrays outside of it; a page that needs more ends as PARSE_CRASHED. */
  readonly memoryMegabytes: number
  /** How long one module may take to load; half a minute unless given. */
  readonly loadMs?: number
  /** A thread was ended, or died, and is being replaced. */
  readonly onRestart: (code: ErrorCode) => void
  /** The thread entry; the one of this build unless given. */
  readonly entry?: URL
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

/** A module may read files or ask a database for what it needs; one that takes longer will take for ever. */
const longestLoadMs = 30_000

/** @param closing ends all tasks, which reject with its reason */
export function openWorkerPool(options: WorkerPoolOptions, closing: AbortSignal): WorkerPool {
  const { clock, threads, parseMs, loadMs = longestLoadMs, rules, onRestart } = options
  const ceilingBytes = options.memoryMegabytes * 1e6
  const cells = createLaneCells(threads)
  const setup: WorkerSetup = { rules, cells, ceilingBytes }
  /** By the id of their tasks. */
  const flights = new Map<number, { readonly lane: Lane; readonly flight: Flight }>()
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
      ...youngLimit(rules.pages.some(({ module }) => module !== undefined) ? youngMegabytesOfTrees : youngMegabytes),
    },
  })
  // A thread that died without a task: while it started, or between two pages. Piscina tells none of those that wait.
  pool.on('error', thrown => {
    onRestart('PARSE_CRASHED')
    for (const { lane, flight } of flights.values())
      if (lane.startedAtMs === 0) flight.end({ code: 'PARSE_CRASHED', what: messageOf(thrown) })
  })
  pool.on('message', message => {
    if (!isAnswer(message) && !isHeavy(message)) return
    const flight = flights.get(message.id)?.flight
    if (message.kind === 'answer') flight?.hear(message)
    else flight?.end({ code: 'PARSE_CRASHED', what: heavySentence(message.heldBytes, ceilingBytes) })
  })

  onAbort(closing, () => {
    for (const { flight } of flights.values()) flight.stop()
  })

  async function vitalsOf(lane: Lane, wantsTime: boolean): Promise<Vitals> {
    const worker = pool.threads.find(({ threadId }) => threadId === lane.threadId)
    if (worker === undefined) return nothing
    const [{ used_heap_size, external_memory }, { user, system }] = await Promise.all([
      worker.getHeapStatistics(),
      wantsTime ? worker.cpuUsage() : noTime,
    ])
    return {
      heldBytes: used_heap_size + external_memory,
      cpuMs: (user + system) / 1000 - lane.startedCpuMs,
      idleMs: worker.performance.eventLoopUtilization().idle - lane.startedIdleMs,
    }
  }

  return {
    async run<T>(task: LaneTask, outing: Outing): Promise<TaskEnd<T>> {
      closing.throwIfAborted()
      const lane = laneOf(cells, task.lane)
      lane.clear()
      using flight = createFlight(lane, outing, hub, readings.endSafely)
      using _watching = watchTask({
        clock,
        startedAtMs: () => lane.startedAtMs,
        limitMs: () => (lane.module === null ? parseMs : loadMs),
        read: wantsTime => readings.take(() => vitalsOf(lane, wantsTime)),
        ceilingBytes,
        end: flight.end,
      })
      lastId += 1
      const id = lastId
      flights.set(id, { lane, flight })
      const { transferList } = outing
      const sent = { ...task, id }
      const end = await flight.landing(() => pool.run(sent, { transferList, signal: flight.signal }) as Promise<T>)
      flights.delete(id)
      if (end.kind !== 'finished') closing.throwIfAborted()
      if (end.kind === 'ended' || end.kind === 'ended-loading') onRestart(end.code)
      return end
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
