import pLimit from 'p-limit'
import { createAbortHub } from '../core/abort-hub.ts'
import { type ErrorCode, MillraceError } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import { type Batchable, createLine } from './batch.ts'
import { endedProcess, faulted, tooLate } from './faulted.ts'
import { mostDeaths, type ParseMarks } from './parse-marks.ts'
import type { Parser } from './parser.ts'
import { createQueueLimit } from './queue-limit.ts'
import { createThreads, type LanePage } from './threads.ts'
import type { WorkerPoolOptions } from './worker-pool.ts'

export interface PoolOptions extends WorkerPoolOptions {
  /** How long a page may wait for a thread before it is given up, as PARSE_UNBEGUN. */
  readonly queueMs: number
  /** Where it is written down which pages are being parsed; left out: a page that ends the process is parsed again. */
  readonly marks?: ParseMarks
}

/**
 * When threads are started that nobody has asked for yet. A page comes at the earliest when its request is answered, and
 * threads that start meanwhile would take their cores, and the main thread's time, from the request.
 */
const startDelayMs = 100

/** A page from hand-over to its one outcome. */
interface Page extends Batchable, LanePage {
  readonly enteredMs: number
  readonly outcome: Promise<ParseReply>
  isSettled: boolean
  settle(reply: ParseReply): void
  fail(reason: unknown): void
  /** It is not wanted any more, or the pool is closed. */
  readonly stop: () => void
}

/**
 * The parse stage in worker threads.
 *
 * Piscina *rejects* when its queue is full; p-limit in front of it turns that into *waits*, and the bound on waiting
 * is the page budget. One page runs in a thread at a time, and one task is with it: ending a thread is the only way to stop
 * a page that runs away. A second task in each thread, so that it need not wait for a turn of the main loop, brought
 * nothing for pages of any size; several small pages in one task did, see `createLine`.
 */
export function createParsePool(options: PoolOptions): Parser {
  const { clock, rules, marks, queueMs } = options
  const counts = { waiting: 0, pages: 0, timeouts: 0, restarts: 0, cpuMs: 0, queuedMs: 0 }
  const threads = createThreads({
    ...options,
    onRestart(code: ErrorCode) {
      counts.restarts += 1
      if (code === 'PARSE_TIMEOUT') counts.timeouts += 1
      options.onRestart(code)
    },
  })
  const line = createLine<Page>(options.threads)
  const queueLimit = createQueueLimit({
    line,
    clock,
    queueMs,
    end: (page, queuedMs) => page.settle({ ...faulted(page.request, tooLate(queuedMs, queueMs)), queuedMs }),
  })
  const limit = pLimit(options.threads)
  /** For pages that may have ended the process before. */
  const alone = pLimit(1)
  const freeLanes = Array.from({ length: options.threads }, (_, lane) => lane)
  const hub = createAbortHub()
  let closed: MillraceError | null = null

  /** Every page gives a turn; one whose page went with others is over at once. */
  const giveTurn = (): void => void limit(turn)

  async function turn(): Promise<void> {
    queueLimit.judge()
    const pages = line.take()
    if (pages.length === 0) return restIdle()
    // One lane per place of `limit`: there is always a free one here.
    const lane = freeLanes.pop() ?? 0
    restIdle()
    try {
      await runOn(lane, pages)
    } catch (thrown) {
      for (const page of pages) page.fail(thrown)
    } finally {
      freeLanes.push(lane)
      restIdle()
    }
  }

  /** Where pages wait, the next one takes the place of the last. */
  function restIdle(): void {
    if (!line.isEmpty) return
    queueLimit.watch()
    for (const lane of freeLanes) marks?.rest(lane)
  }

  async function runOn(lane: number, pages: readonly Page[]): Promise<void> {
    function answer(nth: number, reply: ParseReply, startedAtMs: number): void {
      const page = pages[nth]
      if (page === undefined || page.isSettled) return
      const queuedMs = Math.max(0, (startedAtMs > 0 ? startedAtMs : clock.nowMs()) - page.enteredMs)
      counts.pages += 1
      counts.cpuMs += reply.cpuMs
      counts.queuedMs += queuedMs
      marks?.acquit(lane, nth)
      // One that was ended says nothing of those that are not.
      if (reply.cpuMs > 0) line.learn(page, reply.cpuMs)
      page.settle({ ...reply, queuedMs })
    }
    // A page that waits for its thread to start has no part in the death of a process.
    await threads.loaded(lane)
    const requests = pages.map(({ request }) => request)
    marks?.enter(lane, requests)
    const end = await threads.parse(lane, pages, answer)
    const guilty = end.kind === 'ended' ? requests[end.nth] : undefined
    if (end.kind === 'ended' && guilty !== undefined) answer(end.nth, faulted(guilty, end), end.startedAtMs)
    const others = pages.filter(({ isSettled }) => !isSettled)
    line.putBack(others)
    queueLimit.watch()
    for (const _ of others) giveTurn()
  }

  function enter(request: ParseRequest, signal: AbortSignal, isSuspect: boolean): Page {
    const { promise, resolve, reject } = Promise.withResolvers<ParseReply>()
    const page: Page = {
      request,
      signal,
      isSuspect,
      isSettled: false,
      bodyBytes: request.body.byteLength,
      enteredMs: clock.nowMs(),
      outcome: promise,
      settle(reply) {
        page.isSettled = true
        resolve(reply)
      },
      fail(reason) {
        page.isSettled = true
        reject(reason)
      },
      stop: () => page.fail(closed ?? signal.reason),
    }
    return page
  }

  async function outcomeOf(page: Page): Promise<ParseReply> {
    hub.add(page.signal, page.stop)
    line.push(page)
    queueLimit.watch()
    giveTurn()
    try {
      return await page.outcome
    } finally {
      hub.remove(page.signal, page.stop)
    }
  }

  const beginning = clock.after(startDelayMs, () => void threads.ready().catch(() => {}))

  return {
    async ready() {
      if (rules.pages.some(({ module }) => module !== undefined)) await threads.ready()
    },
    async parse(request, signal) {
      if (closed !== null)
        throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      const deaths = marks?.deathsOf(request) ?? 0
      if (deaths >= mostDeaths) return faulted(request, endedProcess(deaths))
      const page = enter(request, signal, deaths > 0)
      counts.waiting += 1
      try {
        return await (page.isSuspect ? alone(() => outcomeOf(page)) : outcomeOf(page))
      } finally {
        counts.waiting -= 1
      }
    },
    get stats() {
      return { threads: options.threads, ...counts }
    },
    async [Symbol.asyncDispose]() {
      closed = new MillraceError('ABORTED', 'the parser was closed')
      hub.stopAll()
      beginning[Symbol.dispose]()
      queueLimit[Symbol.dispose]()
      await threads[Symbol.asyncDispose]()
    },
  }
}
