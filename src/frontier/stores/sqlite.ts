import { Worker } from 'node:worker_threads'
import type { Clock } from '../../core/clock.ts'
import { MillraceError } from '../../core/errors.ts'
import { ownModule } from '../../core/own-module.ts'
import type { Task } from '../../core/task.ts'
import { threadOptions } from '../../core/thread-options.ts'
import { hostKey } from '../../core/url.ts'
import { youngLimit } from '../../core/young-limit.ts'
import type { Column } from '../../stage/columns.ts'
import { createKnownIds } from './known-ids.ts'
import type { Shelf, TaskStore } from './store.ts'
import type { StoreOpened, StoreReply, StoreRequest, StoreSetup } from './store-messages.ts'
import { endOf, laneOf, type Recovered, rowOf, taskOf } from './task-rows.ts'

/** A task store that outlives the process, with what an earlier one left in it. */
export interface DurableStore extends TaskStore {
  readonly recovered: Recovered
  /** What `writeMeta` kept in an earlier process, by the keys asked for. */
  readonly meta: Readonly<Record<string, string>>
  writeMeta(key: string, value: string): Promise<void>
}

export interface SqliteOptions {
  readonly path: string
  readonly clock: Clock
  readonly metaKeys?: readonly string[]
  /** Columns of the table of items, where commits bring any; null: there is none. */
  readonly itemColumns?: readonly Column[] | null
}

/** The thread of one database: requests by number, answers in their order. */
interface StoreThread {
  ask(request: StoreRequest): Promise<StoreReply>
}

/** Rows of a batch are garbage as soon as they are bound: room for more of them is memory and no speed. */
const youngMegabytes = 12

const lockedHint = /locked|busy/i

const openFailure = (path: string, message: string): MillraceError =>
  lockedHint.test(message)
    ? new MillraceError('CONFIG_INVALID', `${path} is in use by another run: two runs cannot share a folder`)
    : new MillraceError('STORE_FAILED', `${path} cannot be read: ${message}`)

function startThread({ path, metaKeys = [], itemColumns = null }: SqliteOptions): {
  readonly thread: StoreThread
  readonly opened: Promise<StoreOpened>
} {
  const setup: StoreSetup = { path, metaKeys, itemColumns }
  const resourceLimits = youngLimit(youngMegabytes)
  const worker = new Worker(ownModule('workers/store'), { ...threadOptions(), workerData: setup, resourceLimits })
  const waiting = new Map<number, PromiseWithResolvers<StoreReply>>()
  const opened = Promise.withResolvers<StoreOpened>()
  let count = 0
  let dead: MillraceError | null = null

  function fail(message: string): void {
    dead ??= new MillraceError('STORE_FAILED', `${path}: ${message}`)
    opened.reject(dead)
    for (const { reject } of waiting.values()) reject(dead)
    waiting.clear()
  }

  worker.on('message', (reply: StoreReply) => {
    if (reply.kind === 'opened') return opened.resolve(reply.opened)
    if (reply.kind === 'failed' && reply.number === 0) return opened.reject(openFailure(path, reply.message))
    const asked = waiting.get(reply.number)
    waiting.delete(reply.number)
    if (reply.kind === 'failed')
      asked?.reject(new MillraceError('STORE_FAILED', `${path} could not be written: ${reply.message}`))
    else asked?.resolve(reply)
  })
  worker.on('error', error => fail(error.message))
  worker.on('exit', () => fail('its thread has ended'))

  return {
    opened: opened.promise,
    thread: {
      ask(request) {
        if (dead !== null) return Promise.reject(dead)
        count += 1
        const answer = Promise.withResolvers<StoreReply>()
        waiting.set(count, answer)
        worker.postMessage([count, request])
        return answer.promise
      },
    },
  }
}

/**
 * Tasks in a SQLite file, in a thread of its own; which ids are known is in memory, read once on opening. A commit is
 * one transaction in the write-ahead log: it survives kill -9 at any instant. After a power loss the last commits may be
 * missing, and the outputs with them, never one without the other.
 *
 * @throws CONFIG_INVALID another process has the file
 * @throws STORE_FAILED it is damaged, or no database
 */
export async function sqlite(options: SqliteOptions): Promise<DurableStore> {
  const { clock } = options
  const { thread, opened } = startThread(options)
  const { recovered, rows, known, meta } = await opened
  const ids = createKnownIds()
  ids.restore(known)
  let lastRow = rows
  let loadedRow = 0
  let closing: Promise<unknown> | null = null

  const numbered = (task: Task): Task => {
    lastRow += 1
    return { ...task, row: lastRow }
  }

  const shelf: Shelf = {
    async left() {
      const reply = await thread.ask({ kind: 'lanes' })
      const lanes = reply.kind === 'lanes' ? reply.lanes : []
      return new Map(lanes.map(({ url, left }) => [hostKey(new URL(url)), left]))
    },
    async first(wanted) {
      const reply = await thread.ask({
        kind: 'shelf',
        wanted: wanted.map(({ host, max }) => ({ lane: laneOf(host), max })),
      })
      return reply.kind === 'tasks' ? reply.rows.map(row => taskOf(row, clock)) : []
    },
  }

  return {
    recovered,
    meta,
    shelf,
    get known() {
      return ids.size
    },
    has: ids.has,
    hasKey: ids.hasKey,
    put: tasks => tasks.filter(ids.add).map(task => (task.row === undefined ? numbered(task) : task)),
    async load(max) {
      // Rows beyond these were put by this process, which has them.
      if (loadedRow >= rows) return []
      const reply = await thread.ask({ kind: 'pending', afterRow: loadedRow, max })
      const found = reply.kind === 'tasks' ? reply.rows.filter(({ row }) => row <= rows) : []
      loadedRow = found.at(-1)?.row ?? rows
      return found.map(row => taskOf(row, clock))
    },
    async commit({ fates, links, output }) {
      const changed = fates.flatMap(({ task, fate }) => {
        if (fate.kind === 'moved') return [rowOf(fate.to, clock)]
        return fate.kind === 'retry' && fate.charge !== 'none' ? [rowOf(task, clock)] : []
      })
      const ended = fates.flatMap(({ task, fate }) => endOf(task, fate) ?? [])
      const added = links.map(task => rowOf(task, clock))
      await thread.ask({
        kind: 'commit',
        batch: {
          added,
          changed,
          ended,
          sequence: output.sequence,
          positions: output.position,
          items: output.rows ?? [],
        },
      })
    },
    async writeMeta(key, value) {
      await thread.ask({ kind: 'writeMeta', key, value })
    },
    async [Symbol.asyncDispose]() {
      closing ??= thread.ask({ kind: 'close' }).catch(() => {})
      await closing
    },
  }
}
