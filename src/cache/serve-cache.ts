import { realClock } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { openAnswerFiles } from './answer-files.ts'
import type { CacheReply, CacheRequest, CacheSetup } from './store-messages.ts'
import { createWriteBehind, type WriteBehind } from './write-behind.ts'

/** Where requests come from and replies go: the port of a thread. */
export interface CachePort {
  postMessage(reply: CacheReply, moved?: readonly ArrayBuffer[]): void
  on(event: 'message', receive: (request: CacheRequest) => void): unknown
  close(): void
}

function answer(port: CachePort, store: WriteBehind, request: CacheRequest): void {
  switch (request.kind) {
    case 'find': {
      const found = store.find(request.question)
      const moved = found === null ? [] : [found.body.buffer]
      port.postMessage({ kind: 'found', number: request.number, found }, moved)
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
      port.close()
      break
    default:
      request satisfies never
  }
}

/** Finds and keeps the answers of one folder, one request at a time, in their order. */
export function serveCache(port: CachePort, setup: CacheSetup): void {
  const tell = (reason: string): void => port.postMessage({ kind: 'troubled', reason })
  try {
    const files = openAnswerFiles(setup, tell)
    const store = createWriteBehind({
      files,
      clock: realClock,
      tell,
      onWritten: bytes => port.postMessage({ kind: 'written', bytes }),
    })
    const { contents } = files
    port.postMessage({ kind: 'opened', contents }, [contents.cameAtMs.buffer, contents.freshUntilMs.buffer])
    port.on('message', request => answer(port, store, request))
  } catch (thrown) {
    port.postMessage({ kind: 'failed', message: messageOf(thrown) })
  }
}
