import { MillraceError } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import { modulePlace, moduleRulesOf, unloadable } from '../module/module-rules.ts'
import type { StageRules } from '../stage/stage.ts'
import { lostBody } from './faulted.ts'
import type { CutShort, EndedLoading, OnReply, Outing, TaskEnd } from './flight.ts'
import { sent } from './sent-request.ts'
import { openWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'
import type { LaneTask, Unloadable } from './worker-task.ts'

export interface LanePage {
  readonly request: ParseRequest
  readonly signal: AbortSignal
}

export type LaneEnd = { readonly kind: 'answered' } | CutShort

/** Worker threads that are there when they are wanted, with all they need loaded; a lane for each. */
export interface Threads extends AsyncDisposable {
  /**
   * Starts what has not been started; resolves when each lane has loaded all it needs.
   * @throws CONFIG_INVALID a module cannot be loaded, ends its thread meanwhile, takes too long, or exports no `parse`
   * @throws INVARIANT no thread can be started
   */
  ready(): Promise<void>
  /** The thread of one lane has; throws as `ready`. */
  loaded(lane: number): Promise<void>
  /**
   * Reads pages one after the other, and gives each reply as soon as it is there. Takes the body of a page that is
   * alone; several are copied, and so outlive a neighbour that ends their thread.
   * @throws ABORTED the threads were closed; else as `ready`
   */
  parse(lane: number, pages: readonly LanePage[], onReply: OnReply): Promise<LaneEnd>
}

/** Threads that die one after the other before they have begun: after so many nothing will help. */
const mostStartDeaths = 5
const startBackoffMs = 100

interface Started {
  readonly pool: WorkerPool
  /** For each lane, when its thread has loaded all it needs. */
  readonly lanes: readonly Promise<void>[]
}

export function createThreads(options: WorkerPoolOptions): Threads {
  const { clock, threads } = options
  const closing = new AbortController()
  let started: Started | null = null

  /**
   * Tries until a thread begins; each that dies before it does makes the next one wait longer.
   * @throws CONFIG_INVALID the thread was a new one, and could not load its modules: neither will the next one
   */
  async function untilBegun<T>(
    pool: WorkerPool,
    task: LaneTask,
    transferOf: () => ArrayBuffer[] | null,
    outing: Omit<Outing, 'transferList'>,
  ): Promise<Exclude<TaskEnd<T>, EndedLoading | Unloadable>> {
    for (let deaths = 1; ; deaths += 1) {
      const transferList = transferOf()
      if (transferList === null) return { kind: 'ended', nth: 0, startedAtMs: 0, ...lostBody }
      const end = await pool.run<T>(task, { ...outing, transferList })
      if (end.kind === 'unloadable') throw new MillraceError(end.fault.code, end.fault.message)
      if (end.kind === 'ended-loading') throw endedLoading(options.rules, end)
      if (end.kind !== 'ended' || end.startedAtMs > 0) return end
      if (deaths === mostStartDeaths)
        throw new MillraceError('INVARIANT', `no worker thread can be started: a page or a module ${end.what}`)
      await clock.sleep(startBackoffMs * 2 ** (deaths - 1), closing.signal)
    }
  }

  /** A thread for each lane that has loaded all it needs. Nothing is parsed on a lane before. */
  async function start(pool: WorkerPool, lane: number): Promise<void> {
    const outing = { signals: [], onReply: () => {} }
    await untilBegun<null>(pool, { kind: 'load', lane }, () => [], outing)
  }

  function begin(): Started {
    if (started !== null) return started
    // A page whose turn comes as the pool is closed must not open another one, which nobody would close.
    closing.signal.throwIfAborted()
    const pool = openWorkerPool(options, closing.signal)
    const lanes = Array.from({ length: threads }, (_, lane) => start(pool, lane))
    for (const lane of lanes) lane.catch(() => {})
    started = { pool, lanes }
    return started
  }

  return {
    async ready() {
      await Promise.all(begin().lanes)
    },
    async loaded(lane) {
      await begin().lanes[lane]
    },
    async parse(lane, pages, onReply) {
      const { pool, lanes } = begin()
      await lanes[lane]
      const requests = pages.map(({ request }) => sent(request))
      const signals = pages.map(({ signal }) => signal)
      const end = await untilBegun<ParseReply>(pool, { kind: 'parse', lane, requests }, transfersOf(pages), {
        signals,
        onReply,
      })
      if (end.kind !== 'finished') return end
      onReply(requests.length - 1, end.result, end.startedAtMs)
      return { kind: 'answered' }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new MillraceError('ABORTED', 'the parser was closed'))
      await started?.pool[Symbol.asyncDispose]()
    },
  }
}

function endedLoading(rules: StageRules, { nth, what }: EndedLoading): MillraceError {
  const rule = moduleRulesOf(rules)[nth]
  if (rule === undefined) return new MillraceError('INVARIANT', `a worker thread ${what} as it started`)
  const place = modulePlace(rule.module, rule.name, rules.writtenIn)
  return new MillraceError('CONFIG_INVALID', unloadable(place, `it ${what}`))
}

/** What goes to a thread instead of a copy of it; null once it went there and did not come back. */
function transfersOf([first, ...others]: readonly LanePage[]): () => ArrayBuffer[] | null {
  if (first === undefined || others.length > 0) return () => []
  const { body } = first.request
  let isFirst = true
  return () => {
    if (!isFirst && body.byteLength === 0) return null
    isFirst = false
    return [body.buffer]
  }
}
