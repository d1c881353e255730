import { Worker } from 'node:worker_threads'
import { MillraceError } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import { threadOptions } from '../core/thread-options.ts'
import type { AnswerStore } from './answer-store.ts'
import type { CacheReply, CacheRequest, CacheSetup, Contents, Found } from './store-messages.ts'

/** Of bodies that wait to be written: a slow disk must not fill the memory. */
const mostHeldBytes = 32 * 2 ** 20

/**
 * The store of a folder, in a thread of its own. After the death of that thread everything is missing and nothing is kept.
 * @param tell what is wrong with the store, each sentence once
 * @throws CONFIG_INVALID the folder cannot be made or written
 */
export async function startStoreThread(setup: CacheSetup, tell: (reason: string) => void): Promise<AnswerStore> {
  const worker = new Worker(ownModule('workers/cache'), { ...threadOptions(), workerData: setup })
  const waiting = new Map<number, (found: Found | null) => void>()
  const opened = Promise.withResolvers<Contents>()
  const closed = Promise.withResolvers<void>()
  const told = new Set<string>()
  let asked = 0
  let heldBytes = 0
  let isOver = false

  function tellOnce(reason: string): void {
    if (!told.has(reason)) tell(reason)
    told.add(reason)
  }

  function end(): void {
    isOver = true
    for (const answer of waiting.values()) answer(null)
    waiting.clear()
    closed.resolve()
  }

  function receive(reply: CacheReply): void {
    switch (reply.kind) {
      case 'opened':
        opened.resolve(reply.contents)
        break
      case 'failed':
        opened.reject(new MillraceError('CONFIG_INVALID', `cache.dir: ${setup.folder}: ${reply.message}`))
        break
      case 'found':
        waiting.get(reply.number)?.(reply.found)
        waiting.delete(reply.number)
        break
      case 'written':
        heldBytes -= reply.bytes
        break
      case 'troubled':
        tellOnce(reply.reason)
        break
      default:
        reply satisfies never
    }
  }

  const send = (request: CacheRequest, moved: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(request, [...moved])

  worker
    .on('message', receive)
    .on('error', error => tellOnce(`the thread of the cache in ${setup.folder} has ended: ${error.message}`))
    .on('exit', () => {
      opened.reject(new MillraceError('CONFIG_INVALID', `cache.dir: ${setup.folder} cannot be opened`))
      end()
    })
  const contents = await opened.promise

  return {
    contents,
    find(question) {
      if (isOver) return Promise.resolve(null)
      asked += 1
      const number = asked
      return new Promise(resolve => {
        waiting.set(number, resolve)
        send({ kind: 'find', number, question })
      })
    },
    keep(entry) {
      const { length } = entry.body
      if (isOver || heldBytes + length > mostHeldBytes) return false
      heldBytes += length
      send({ kind: 'keep', entry }, [entry.body.buffer])
      return true
    },
    confirm(confirmed) {
      if (!isOver) send({ kind: 'confirm', confirmed })
    },
    drop(key) {
      if (!isOver) send({ kind: 'drop', key })
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) send({ kind: 'close' })
      await closed.promise
    },
  }
}
