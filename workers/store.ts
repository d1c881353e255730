import { parentPort, workerData } from 'node:worker_threads'
import type { StoreReply, StoreRequest, StoreSetup } from '../src/frontier/stores/store-messages.ts'
import { openTaskDatabase, type TaskDatabase } from '../src/frontier/stores/task-database.ts'

/** The thread of a durable store: SQLite is synchronous, and a commit would hold the main thread. */

const { path, metaKeys } = workerData as StoreSetup

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
const say = (reply: StoreReply, moved: readonly ArrayBuffer[] = []): void => parentPort?.postMessage(reply, [...moved])

function answer(database: TaskDatabase, number: number, request: StoreRequest): StoreReply {
  switch (request.kind) {
    case 'commit':
      database.commit(request.batch)
      break
    case 'pending':
      return { kind: 'tasks', number, rows: database.pending(request.afterRow, request.max) }
    case 'shelf':
      return { kind: 'tasks', number, rows: request.wanted.flatMap(({ lane, max }) => database.ofLane(lane, max)) }
    case 'lanes':
      return { kind: 'lanes', number, lanes: database.lanes() }
    case 'writeMeta':
      database.writeMeta(request.key, request.value)
      break
    case 'close':
      database.close()
      parentPort?.unref()
      break
    default:
      return request satisfies never
  }
  return { kind: 'ended', number }
}

function open(): TaskDatabase | null {
  try {
    const database = openTaskDatabase(path)
    const fingerprints = database.fingerprints()
    const meta = Object.fromEntries(
      metaKeys.flatMap(key => {
        const value = database.readMeta(key)
        return value === null ? [] : [[key, value]]
      }),
    )
    const { recovered, rows } = database
    say({ kind: 'opened', opened: { recovered, rows, fingerprints, meta } }, [fingerprints.buffer])
    return database
  } catch (thrown) {
    say({ kind: 'failed', number: 0, message: messageOf(thrown) })
    return null
  }
}

const database = open()
if (database !== null)
  parentPort?.on('message', ([number, request]: [number, StoreRequest]) => {
    try {
      say(answer(database, number, request))
    } catch (thrown) {
      say({ kind: 'failed', number, message: messageOf(thrown) })
    }
  })
