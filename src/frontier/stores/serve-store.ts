import { type Clock, realClock } from '../../core/clock.ts'
import { messageOf } from '../../core/errors.ts'
import type { StoreReply, StoreRequest, StoreSetup } from './store-messages.ts'
import { createSyncing, type Syncing } from './syncing.ts'
import { openTaskDatabase, type TaskDatabase } from './task-database.ts'

/** Where requests come from and answers go: the port of a thread, or whatever stands in for it. */
export interface StorePort {
  postMessage(reply: StoreReply, moved?: readonly ArrayBuffer[]): void
  on(event: 'message', receive: (message: readonly [number, StoreRequest]) => void): unknown
  /** Nothing more will be asked. */
  unref(): void
}

interface Served {
  readonly database: TaskDatabase
  readonly syncing: Syncing
  readonly port: StorePort
}

function answer({ database, syncing, port }: Served, number: number, request: StoreRequest): StoreReply {
  switch (request.kind) {
    case 'commit':
      database.commit(request.batch, syncing.begin())
      break
    case 'pending':
      return { kind: 'tasks', number, rows: database.pending(request.afterRow, request.max) }
    case 'shelf':
      return { kind: 'tasks', number, rows: request.wanted.flatMap(({ lane, max }) => database.ofLane(lane, max)) }
    case 'lanes':
      return { kind: 'lanes', number, lanes: database.lanes() }
    case 'writeMeta':
      database.writeMeta(request.key, request.value, syncing.begin())
      break
    case 'close':
      syncing[Symbol.dispose]()
      database.close()
      port.unref()
      break
    default:
      return request satisfies never
  }
  return { kind: 'ended', number }
}

function open(port: StorePort, { path, metaKeys, itemColumns }: StoreSetup, clock: Clock): Served | null {
  try {
    const database = openTaskDatabase(path, itemColumns)
    const known = database.known()
    const meta = Object.fromEntries(
      metaKeys.flatMap(key => {
        const value = database.readMeta(key)
        return value === null ? [] : [[key, value]]
      }),
    )
    const { recovered, rows } = database
    const moved = [known.ids.buffer, known.sessionKeys.buffer]
    port.postMessage({ kind: 'opened', opened: { recovered, rows, known, meta } }, moved)
    return { database, port, syncing: createSyncing(clock, database.sync) }
  } catch (thrown) {
    port.postMessage({ kind: 'failed', number: 0, message: messageOf(thrown) })
    return null
  }
}

/** Answers what is asked of one database, one request at a time, in their order. */
export function serveStore(port: StorePort, setup: StoreSetup, clock: Clock = realClock): void {
  const served = open(port, setup, clock)
  if (served === null) return
  port.on('message', ([number, request]) => {
    try {
      port.postMessage(answer(served, number, request))
    } catch (thrown) {
      port.postMessage({ kind: 'failed', number, message: messageOf(thrown) })
    }
  })
}
