import { rm } from 'node:fs/promises'
import type { Clock } from '../core/clock.ts'
import { createLineFile } from './line-file.ts'
import { emptyPosition, type Position, type Sink } from './sink.ts'

/** When a file is ended and the next one begun. Null: never for that reason. */
export interface Rotation {
  readonly bytes: number | null
  readonly everyMs: number | null
}

export interface PartedFileOptions {
  readonly clock: Clock
  /** Number 1 is the first. */
  readonly pathOf: (part: number) => string
  readonly start?: Position
  /** What every file opens with: the header of a table. */
  readonly head?: Uint8Array | null
  /** Null: one file for ever. */
  readonly rotation?: Rotation | null
  /** What is written for the lines of one commit, made off this thread. Default: the lines. */
  readonly encode?: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Told when a file will not change any more; all that is in it is committed. */
  readonly onClosed?: (part: number) => void
}

const asIs = async (bytes: Uint8Array): Promise<Uint8Array> => bytes

/**
 * Lines in a row of files. A file is ended when the next lines come and it is large or old enough, so at a commit: what
 * is in a file that is ended is committed, and of the files that a dead process left at most the last holds more.
 *
 * @throws SINK_FAILED as a file of lines does
 */
export async function createPartedFile(options: PartedFileOptions): Promise<Sink> {
  const { clock, pathOf, start = emptyPosition, rotation = null, encode = asIs, onClosed = () => {} } = options
  const head = options.head ?? null
  let part = start.part ?? 1
  let sinceMs = start.partSinceMs ?? wallMs(clock)
  let lines = start.lines
  if (rotation !== null) await rm(pathOf(part + 1), { force: true })
  let file = await createLineFile(pathOf(part), start)

  const isDue = (): boolean => {
    if (rotation === null || file.position.bytes === 0) return false
    const { bytes, everyMs } = rotation
    return (bytes !== null && file.position.bytes >= bytes) || (everyMs !== null && wallMs(clock) - sinceMs >= everyMs)
  }

  async function turn(): Promise<void> {
    await file[Symbol.asyncDispose]()
    onClosed(part)
    part += 1
    sinceMs = wallMs(clock)
    // One that was left by a process that died before its commit is emptied.
    file = await createLineFile(pathOf(part))
  }

  return {
    get position() {
      const { bytes, crc } = file.position
      if (rotation === null) return { bytes, lines, crc }
      return { bytes, lines, crc, part, ...(rotation.everyMs !== null && { partSinceMs: sinceMs }) }
    },
    async write(chunks, count) {
      if (isDue()) await turn()
      const isFirst = file.position.bytes === 0
      if (isFirst) sinceMs = wallMs(clock)
      const bytes = await encode(wholeOf(head !== null && isFirst ? [head, ...chunks] : chunks))
      await file.write([bytes], count)
      lines += count
    },
    async complete() {
      if (file.position.bytes > 0) return
      // Of no items there is a table without rows, and a compressed file that can be opened.
      const bytes = await encode(head ?? new Uint8Array(0))
      if (bytes.byteLength > 0) await file.write([bytes], 0)
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  }
}

const wallMs = (clock: Clock): number => Date.parse(clock.wallIso())

function wholeOf(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
