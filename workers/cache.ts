import { parentPort, workerData } from 'node:worker_threads'
import { openAnswerFiles } from '../src/cache/answer-files.ts'
import type { CacheReply, CacheRequest, CacheSetup } from '../src/cache/store-messages.ts'
import { createWriteBehind, type WriteBehind } from '../src/cache/write-behind.ts'
import { realClock } from '../src/core/clock.ts'

/** The thread of a cache: SQLite is synchronous, and would hold the main thread. */

const setup = workerData as CacheSetup
const say = (reply: CacheReply, moved: readonly ArrayBuffer[] = []): void => parentPort?.postMessage(reply, [...moved])
const tell = (reason: string): void => say({ kind: 'troubled', reason })

function answer(store: WriteBehind, request: CacheRequest): void {
  switch (request.kind) {
    case 'find': {
      const found = store.find(request.question)
      say({ kind: 'found', number: request.number, found }, found === null ? [] : [found.body.buffer])
      break
    }
    case 'keep':
      store.keep(request.entry)
      break
    case 'confirm':
      store.confirm(request.confirmed)
      break
    case 'drop':
      store.drop(request.key)
      break
    case 'close':
      store.close()
      parentPort?.close()
      break
    default:
      request satisfies never
  }
}

try {
  const files = openAnswerFiles(setup, tell)
  const store = createWriteBehind({
    files,
    clock: realClock,
    tell,
    onWritten: bytes => say({ kind: 'written', bytes }),
  })
  const { contents } = files
  say({ kind: 'opened', contents }, [contents.cameAtMs.buffer, contents.freshUntilMs.buffer])
  parentPort?.on('message', (request: CacheRequest) => answer(store, request))
} catch (thrown) {
  say({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) })
}
