import { type FileHandle, open } from 'node:fs/promises'
import type { Clock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Sink } from './sink.ts'

export interface LineFileOptions {
  readonly path: string
  readonly clock: Clock
  /** Written when this many lines wait ... */
  readonly flushLines?: number
  /** ... or this many bytes ... */
  readonly flushBytes?: number
  /** ... or when the oldest has waited this long. */
  readonly flushMs?: number
  readonly onWrote?: (lines: number, bytes: number, latencyMs: number) => void
}

const openLines = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, 'w')
  } catch (cause) {
    throw failure(path, 'could not be opened for writing', cause)
  }
}

const failure = (path: string, what: string, cause: unknown): MillraceError =>
  new MillraceError('SINK_FAILED', `${path} ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  })

/**
 * A file of lines that is valid at every moment: only whole lines are handed to the system, one write at a time, and
 * a write that fails half-way is cut off again. After a failure the file takes nothing more.
 *
 * @throws SINK_FAILED the file cannot be opened
 */
export async function createLineFile(options: LineFileOptions): Promise<Sink> {
  const { path, clock, flushLines = 256, flushBytes = 1 << 20, flushMs = 200, onWrote } = options
  const file = await openLines(path)
  let waiting: Uint8Array[] = []
  let waitingLines = 0
  let waitingBytes = 0
  let timer: Disposable | null = null
  let writing: Promise<void> | null = null
  let failed: MillraceError | null = null
  let closed = false
  const written = { lines: 0, bytes: 0 }

  async function writeAll(): Promise<void> {
    while (waitingBytes > 0 && failed === null) {
      const chunks = waiting
      const [lines, bytes] = [waitingLines, waitingBytes]
      waiting = []
      waitingLines = 0
      waitingBytes = 0
      const startMs = clock.nowMs()
      try {
        await writeWhole(chunks, bytes)
      } catch (cause) {
        // What was written of the last lines would be half a line for the next reader.
        await file.truncate(written.bytes).catch(() => {})
        failed = failure(path, 'could not be written', cause)
        return
      }
      written.lines += lines
      written.bytes += bytes
      onWrote?.(lines, bytes, clock.nowMs() - startMs)
    }
  }

  /** A write may take less than it was given: a full disk does so once before it says that it is full. */
  async function writeWhole(chunks: readonly Uint8Array[], bytes: number): Promise<void> {
    const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes)
    for (let offset = 0; offset < bytes; ) {
      const { bytesWritten } = await file.write(whole, offset, bytes - offset, written.bytes + offset)
      offset += bytesWritten
    }
  }

  function startWriting(): Promise<void> {
    timer?.[Symbol.dispose]()
    timer = null
    writing ??= writeAll().finally(() => {
      writing = null
    })
    return writing
  }

  async function flush(): Promise<void> {
    while (waitingBytes > 0 && failed === null) await startWriting()
    if (writing !== null) await writing
    if (failed !== null) throw failed
  }

  return {
    async append(lines, count) {
      if (failed !== null) throw failed
      if (closed) throw new MillraceError('SINK_FAILED', `${path} was closed before these lines came`)
      if (lines.byteLength === 0) return
      waiting.push(lines)
      waitingLines += count
      waitingBytes += lines.byteLength
      if (waitingLines < flushLines && waitingBytes < flushBytes) {
        timer ??= clock.after(flushMs, () => void startWriting())
        return
      }
      const busy = writing !== null
      const write = startWriting()
      // A buffer's worth may wait behind the one being written; beyond that whoever appends waits too.
      if (busy && waitingBytes >= flushBytes) await write
      if (failed !== null) throw failed
    },
    flush,
    written,
    async [Symbol.asyncDispose]() {
      if (closed) return
      closed = true
      try {
        await flush()
      } finally {
        timer?.[Symbol.dispose]()
        await file.close()
      }
    },
  }
}
