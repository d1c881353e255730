import type { Writable } from 'node:stream'
import { MillraceError } from '../core/errors.ts'
import { emptyPosition, type Sink } from './sink.ts'

/**
 * Lines down a pipe: a reader that is behind is waited for, and through the page budget so is everything before it. What
 * has gone down a pipe cannot be taken back, so its lines are told apart by their ids and not by their place.
 */
export function createPipe(stream: Writable): Sink {
  let position = emptyPosition
  let failed: MillraceError | null = null
  let wake: (() => void) | null = null
  const onEnd = (cause?: unknown): void => {
    failed ??= new MillraceError(
      'SINK_FAILED',
      `the reader of the items is gone: ${cause instanceof Error ? cause.message : 'the pipe was closed'}`,
      { cause },
    )
    wake?.()
  }
  const onDrain = (): void => wake?.()
  stream.on('error', onEnd).on('close', onEnd).on('drain', onDrain)
  return {
    get position() {
      return position
    },
    async write(chunks, count) {
      if (failed !== null) throw failed
      const bytes = Buffer.concat(chunks)
      if (!stream.write(bytes))
        await new Promise<void>(resolve => {
          wake = resolve
        })
      wake = null
      if (failed !== null) throw failed
      position = { bytes: position.bytes + bytes.byteLength, lines: position.lines + count, crc: 0 }
    },
    // The stream is its owner's to end.
    async [Symbol.asyncDispose]() {
      stream.off('error', onEnd).off('close', onEnd).off('drain', onDrain)
    },
  }
}
