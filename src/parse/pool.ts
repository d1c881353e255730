import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import { onAbort } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import { type ErrorCode, faultOf, MillraceError } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import type { StageRules } from '../stage/stage.ts'
import type { Parser } from './parser.ts'
import type { WorkerSetup, WorkerTask } from './worker-task.ts'
import { workerUrl } from './worker-url.ts'

export interface PoolOptions {
  readonly rules: StageRules
  readonly clock: Clock
  readonly threads: number
  /** How long one page may run in its thread; the time it queued is not counted. */
  readonly parseMs: number
  /** Heap of one worker; a page that needs more ends as PARSE_CRASHED. */
  readonly heapMegabytes: number
  /** A thread was ended, or died, and is being replaced. */
  readonly onRestart: (code: ErrorCode) => void
}

/** A thread that has not even begun after this long is judged as if it were dead. */
const startLimitMs = 30_000

/**
 * The parse stage in worker threads.
 *
 * Piscina *rejects* when its queue is full; p-limit in front of it turns that into *waits*, and the bound on waiting
 * is the page budget. One page per thread at a time: ending a thread is the only way to stop a page that runs away,
 * and a neighbour on the same thread would die with it, its body already moved there.
 */
export function createParsePool(options: PoolOptions): Parser {
  const { clock, threads, parseMs } = options
  const startedAtMs = new Float64Array(new SharedArrayBuffer(threads * Float64Array.BYTES_PER_ELEMENT))
  const setup: WorkerSetup = { rules: options.rules, startedAtMs }
  const pool = new Piscina<WorkerTask, ParseReply>({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    maxQueue: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes },
  })
  // A thread that dies between two pages: the next page gets a new one, or its own error.
  pool.on('error', () => options.onRestart('PARSE_CRASHED'))

  const limit = pLimit(threads)
  const freeLanes = Array.from({ length: threads }, (_, lane) => lane)
  const counts = { waiting: 0, pages: 0, timeouts: 0, restarts: 0, cpuMs: 0 }
  let closed = false

  async function runIn(lane: number, request: ParseRequest, signal: AbortSignal): Promise<ParseReply> {
    signal.throwIfAborted()
    startedAtMs[lane] = 0
    const handedAtMs = clock.nowMs()
    const ender = new AbortController()
    using _stopping = onAbort(signal, () => ender.abort(signal.reason))
    let timedOut = false
    let timer = clock.after(parseMs, judge)
    function judge(): void {
      const startMs = startedAtMs[lane] ?? 0
      const limitAtMs = startMs > 0 ? startMs + parseMs : handedAtMs + startLimitMs
      const leftMs = limitAtMs - clock.nowMs()
      if (leftMs > 0) {
        // Not begun yet: nobody tells when it does, so it is looked at again as if it began now.
        timer = clock.after(Math.min(leftMs, parseMs), judge)
        return
      }
      timedOut = true
      ender.abort()
    }
    try {
      return await pool.run({ request, lane }, { transferList: [request.body.buffer], signal: ender.signal })
    } catch (thrown) {
      if (signal.aborted) throw signal.reason
      return timedOut ? ended(request, 'PARSE_TIMEOUT', `took longer than ${parseMs} ms`) : crashed(request, thrown)
    } finally {
      timer[Symbol.dispose]()
    }
  }

  function ended(request: ParseRequest, code: ErrorCode, what: string): ParseReply {
    if (code === 'PARSE_TIMEOUT') counts.timeouts += 1
    counts.restarts += 1
    options.onRestart(code)
    return { kind: 'faulted', fault: faultOf(code, `${request.finalUrl} (page ${request.page}) ${what}`), cpuMs: 0 }
  }

  function crashed(request: ParseRequest, thrown: unknown): ParseReply {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return ended(request, 'PARSE_CRASHED', `ended its thread: ${reason}`)
  }

  return {
    async parse(request, signal) {
      if (closed) throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      counts.waiting += 1
      try {
        return await limit(async () => {
          // One lane per place of `limit`: there is always a free one here.
          const lane = freeLanes.pop() ?? 0
          try {
            const reply = await runIn(lane, request, signal)
            counts.pages += 1
            counts.cpuMs += reply.cpuMs
            return reply
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
      closed = true
      await pool.destroy()
    },
  }
}
