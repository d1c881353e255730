import { Worker } from 'node:worker_threads'
import { MillraceError } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import { threadOptions } from '../core/thread-options.ts'
import type { Attempt } from '../warc/attempt.ts'
import { heldBytesOf, type RecorderReply, type RecorderRequest, type RecorderSetup } from './recorder-messages.ts'

/** Writes attempts into a web archive, beside a run. */
export interface Recorder extends AsyncDisposable {
  /**
   * Takes over the body, which owns its memory. Resolves when there is room for another one, which is at once as long as
   * the disk keeps up.
   * @throws SINK_FAILED the archive cannot be written any more
   */
  keep(attempt: Attempt, body: Uint8Array<ArrayBuffer>): Promise<void>
}

/** Of bodies that wait to be written: a slow disk holds the pages back, and does not fill the memory. */
const mostHeldBytes = 32 * 2 ** 20

/** @throws SINK_FAILED the file cannot be opened */
export async function startRecorder(setup: RecorderSetup): Promise<Recorder> {
  const worker = new Worker(ownModule('workers/record'), { ...threadOptions(), workerData: setup })
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  let heldBytes = 0
  let failure: MillraceError | null = null
  /** Somebody waits for it. */
  let room: PromiseWithResolvers<void> | null = null
  let isClosing = false

  function fail(message: string): void {
    failure ??= new MillraceError('SINK_FAILED', `${setup.path} cannot be written: ${message}`)
    opened.reject(failure)
    room?.reject(failure)
  }

  function receive(reply: RecorderReply): void {
    switch (reply.kind) {
      case 'opened':
        opened.resolve()
        break
      case 'written':
        heldBytes -= reply.heldBytes
        if (heldBytes > mostHeldBytes) break
        room?.resolve()
        room = null
        break
      case 'failed':
        fail(reply.message)
        break
      default:
        reply satisfies never
    }
  }

  const send = (request: RecorderRequest, moved: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(request, [...moved])

  worker
    .on('message', receive)
    .on('error', error => fail(error.message))
    .on('exit', () => {
      if (!isClosing) fail('its thread has ended')
      closed.resolve()
    })
  await opened.promise

  return {
    async keep(attempt, body) {
      if (failure !== null) throw failure
      heldBytes += heldBytesOf(body)
      send({ kind: 'keep', attempt, body }, [body.buffer])
      if (heldBytes <= mostHeldBytes) return
      room ??= Promise.withResolvers()
      await room.promise
    },
    async [Symbol.asyncDispose]() {
      const before = failure
      isClosing = true
      send({ kind: 'close' })
      await closed.promise
      // What was taken over and could not be written is nothing to be silent about.
      if (before === null && failure !== null) throw failure
    },
  }
}
