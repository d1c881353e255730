import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import { onAbort } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import { type ErrorCode, faultOf, MillraceError } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import type { StageRules } from '../stage/stage.ts'
import type { Parser } from './parser.ts'
import { type Ended, heavySentence, type Vitals, watchTask } from './watch.ts'
import {
  createLaneCells,
  isHeavy,
  type LaneTask,
  type LoadReply,
  type WorkerSetup,
  type WorkerTask,
} from './worker-task.ts'
import { workerUrl } from './worker-url.ts'

export interface PoolOptions {
  readonly rules: StageRules
  readonly clock: Clock
  readonly threads: number
  /** How long one page may run in its thread; the time it queued is not counted. */
  readonly parseMs: number
  /** How long a page may wait for a thread before it is given up. */
  readonly queueMs: number
  /** What one thread may hold, heap and arrays outside of it; a page that needs more ends as PARSE_CRASHED. */
  readonly memoryMegabytes: number
  /** A thread was ended, or died, and is being replaced. */
  readonly onRestart: (code: ErrorCode) => void
  /** The thread entry; the one of this build unless given. */
  readonly entry?: URL
}

/**
 * V8's own limit, for which nothing is set aside: far enough above any ceiling that the largest single object (an
 * array of 1 GB) fits in between. Coming near it would end the process; see `watchTask`.
 */
const lastResortMegabytes = 4_096

/** Threads that die one after the other before they have begun: after so many nothing will help. */
const mostStartDeaths = 5
const startBackoffMs = 100

type Attempt<T> =
  | { readonly kind: 'answered'; readonly reply: T }
  | ({ readonly kind: 'ended'; readonly began: boolean } & Ended)

/**
 * The parse stage in worker threads.
 *
 * Piscina *rejects* when its queue is full; p-limit in front of it turns that into *waits*, and the bound on waiting
 * is the page budget. One page per thread at a time: ending a thread is the only way to stop a page that runs away,
 * and a neighbour on the same thread would die with it, its body already moved there. A second page in each thread, so
 * that it need not wait for a turn of the main loop, brought nothing: 0.98, 1.04 and 0.97 times the pages per second with
 * pages of 1.4, 10 and 95 KB (medians of 7 alternating rounds, 2 threads on 2 cores).
 */
export function createParsePool(options: PoolOptions): Parser {
  const { clock, threads, parseMs, queueMs, rules, onRestart } = options
  const ceilingBytes = options.memoryMegabytes * 1e6
  const cells = createLaneCells(threads)
  const setup: WorkerSetup = { rules, cells, ceilingBytes }
  const pool = new Piscina<WorkerTask, unknown>({
    filename: (options.entry ?? workerUrl).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    maxQueue: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(lastResortMegabytes, 4 * options.memoryMegabytes) },
  })
  const limit = pLimit(threads)
  const allLanes = Array.from({ length: threads }, (_, lane) => lane)
  const freeLanes = [...allLanes]
  /** Ends a task, by its id. */
  const enders = new Map<number, (why: Ended) => void>()
  /** The task of each lane; 0: none. */
  const running = new Int32Array(threads)
  let lastId = 0
  const counts = { waiting: 0, pages: 0, timeouts: 0, restarts: 0, cpuMs: 0, queuedMs: 0 }
  const closing = new AbortController()

  // A thread that died without a task: while it started, or between two pages. Piscina tells none of those that wait.
  pool.on('error', thrown => {
    restarted('PARSE_CRASHED')
    for (const [lane, id] of running.entries())
      if (!hasBegun(lane)) enders.get(id)?.({ code: 'PARSE_CRASHED', what: messageOf(thrown) })
  })
  pool.on('message', message => {
    if (isHeavy(message))
      enders.get(message.id)?.({ code: 'PARSE_CRASHED', what: heavySentence(message.heldBytes, ceilingBytes) })
  })

  const hasBegun = (lane: number): boolean => (cells.startedAtMs[lane] ?? 0) > 0

  function restarted(code: ErrorCode): void {
    counts.restarts += 1
    if (code === 'PARSE_TIMEOUT') counts.timeouts += 1
    onRestart(code)
  }

  async function vitalsOf(lane: number): Promise<Vitals> {
    const worker = pool.threads.find(({ threadId }) => threadId === cells.threadIds[lane])
    if (worker === undefined) return nothing
    const [{ used_heap_size, external_memory }, { user, system }] = await Promise.all([
      worker.getHeapStatistics(),
      worker.cpuUsage(),
    ])
    return {
      heldBytes: used_heap_size + external_memory,
      cpuMs: (user + system) / 1000 - (cells.startedCpuMs[lane] ?? 0),
      idleMs: worker.performance.eventLoopUtilization().idle - (cells.startedIdleMs[lane] ?? 0),
    }
  }

  /** One task in one thread, to its first end: the answer, a death, or an end from outside. Later ones are not heard. */
  async function attempt<T>(task: LaneTask, transferList: ArrayBuffer[], signal: AbortSignal): Promise<Attempt<T>> {
    signal.throwIfAborted()
    closing.signal.throwIfAborted()
    const { lane } = task
    cells.startedAtMs[lane] = 0
    cells.threadIds[lane] = 0
    const ender = new AbortController()
    const state: { ended: Ended | null } = { ended: null }
    function end(why: Ended): void {
      state.ended ??= why
      ender.abort()
    }
    using _stopping = onAbort(signal, () => ender.abort())
    using _closing = onAbort(closing.signal, () => ender.abort())
    using _watching = watchTask({
      clock,
      startedAtMs: () => cells.startedAtMs[lane] ?? 0,
      limitMs: parseMs,
      read: () => vitalsOf(lane),
      ceilingBytes,
      end,
    })
    lastId += 1
    const id = lastId
    running[lane] = id
    enders.set(id, end)
    try {
      return { kind: 'answered', reply: (await pool.run({ ...task, id }, { transferList, signal: ender.signal })) as T }
    } catch (thrown) {
      if (signal.aborted) throw signal.reason
      if (closing.signal.aborted) throw closing.signal.reason
      const why: Ended = state.ended ?? { code: 'PARSE_CRASHED', what: `ended its thread: ${messageOf(thrown)}` }
      restarted(why.code)
      return { kind: 'ended', began: hasBegun(lane), ...why }
    } finally {
      enders.delete(id)
      running[lane] = 0
    }
  }

  /** Tries until a thread begins; each that dies before it does makes the next one wait longer. */
  async function untilBegun<T>(
    task: LaneTask,
    transferOf: () => ArrayBuffer[] | null,
    signal: AbortSignal,
  ): Promise<Attempt<T>> {
    for (let deaths = 1; ; deaths += 1) {
      const transferList = transferOf()
      if (transferList === null)
        return { kind: 'ended', began: false, code: 'PARSE_CRASHED', what: 'died with its thread' }
      const end = await attempt<T>(task, transferList, signal)
      if (end.kind === 'answered' || end.began) return end
      if (deaths === mostStartDeaths)
        throw new MillraceError('INVARIANT', `no worker thread can be started: a page or a module ${end.what}`)
      await clock.sleep(startBackoffMs * 2 ** (deaths - 1), signal)
    }
  }

  /** A thread for each lane that has loaded all it needs. Nothing is parsed on a lane before. */
  async function start(lane: number): Promise<void> {
    const end = await untilBegun<LoadReply>({ kind: 'load', lane }, () => [], closing.signal)
    if (end.kind === 'ended') throw new MillraceError('INVARIANT', `a worker thread ${end.what} as it started`)
    if (end.reply !== null) throw new MillraceError(end.reply.code, end.reply.message)
  }

  const starts = allLanes.map(start)
  const started = Promise.all(starts)
  started.catch(() => {})

  async function parseOn(lane: number, request: ParseRequest, signal: AbortSignal): Promise<ParseReply> {
    await starts[lane]
    const { body } = request
    let isFirst = true
    // A body that went to a thread is gone with it; one that still waits here can wait for the next.
    const transferOf = (): ArrayBuffer[] | null => {
      if (!isFirst && body.byteLength === 0) return null
      isFirst = false
      return [body.buffer]
    }
    const end = await untilBegun<ParseReply>({ kind: 'parse', lane, request }, transferOf, signal)
    if (end.kind === 'answered') return end.reply
    return faulted(request, end)
  }

  return {
    async ready() {
      if (rules.pages.some(({ module }) => module !== undefined)) await started
    },
    async parse(request, signal) {
      if (closing.signal.aborted)
        throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      const enteredMs = clock.nowMs()
      counts.waiting += 1
      try {
        return await limit(async () => {
          const waitedMs = clock.nowMs() - enteredMs
          if (waitedMs > queueMs) return { ...faulted(request, tooLate(waitedMs, queueMs)), queuedMs: waitedMs }
          // One lane per place of `limit`: there is always a free one here.
          const lane = freeLanes.pop() ?? 0
          try {
            const reply = await parseOn(lane, request, signal)
            const queuedMs = Math.max(0, (hasBegun(lane) ? (cells.startedAtMs[lane] ?? 0) : clock.nowMs()) - enteredMs)
            counts.pages += 1
            counts.cpuMs += reply.cpuMs
            counts.queuedMs += queuedMs
            return { ...reply, queuedMs }
          } finally {
            freeLanes.push(lane)
          }
        })
      } finally {
        counts.waiting -= 1
      }
    },
    get stats() {
      return { threads, ...counts }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new MillraceError('ABORTED', 'the parser was closed'))
      await pool.destroy()
    },
  }
}

/** Of a thread that is gone. */
const nothing: Vitals = { heldBytes: 0, cpuMs: 0, idleMs: 0 }

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const tooLate = (waitedMs: number, queueMs: number): Ended => ({
  code: 'PARSE_TIMEOUT',
  what: `waited ${Math.round(waitedMs)} ms for a thread, longer than ${queueMs} ms`,
})

const faulted = ({ finalUrl, page }: ParseRequest, { code, what }: Ended): ParseReply => ({
  kind: 'faulted',
  fault: faultOf(code, `${finalUrl} (page ${page}) ${what}`),
  cpuMs: 0,
})
