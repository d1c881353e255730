import { MillraceError } from '../../core/errors.ts'
import type { Format } from './format.ts'

/**
 * Rows of the table `items` in the very database that the tasks are kept in: they are committed in the transaction that
 * ends their tasks, so nothing has to be cut back. Two attached databases would not do, since SQLite commits them one
 * after the other where they have a write-ahead log.
 */
export const sqlite: Format = {
  fileOf: () => null,
  async open(_, start) {
    let position = start
    let waiting: Uint8Array[] = []
    let closed = false
    return {
      get position() {
        return position
      },
      async write(chunks, count) {
        if (closed) throw new MillraceError('SINK_FAILED', 'the table of items was closed before these came')
        const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
        waiting.push(...chunks)
        position = { bytes: position.bytes + bytes, lines: position.lines + count, crc: 0 }
      },
      takeRows() {
        const rows = waiting
        waiting = []
        return rows
      },
      async [Symbol.asyncDispose]() {
        closed = true
      },
    }
  },
  verify: async () => {},
}
