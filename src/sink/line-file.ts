import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { MillraceError, sinkFailure } from '../core/errors.ts'
import { emptyPosition, type Position, type Sink } from './sink.ts'

async function openFile(path: string): Promise<FileHandle> {
  try {
    // A link in its place leads to a file that is nobody's of ours.
    return await open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0))
  } catch (cause) {
    throw sinkFailure(path, 'could not be opened for writing', cause)
  }
}

/** Cuts off what an earlier process wrote and did not commit. */
async function cutBack(file: FileHandle, path: string, start: Position): Promise<void> {
  try {
    const { size, isFile } = await file.stat().then(stats => ({ size: stats.size, isFile: stats.isFile() }))
    if (!isFile) return
    if (size < start.bytes)
      throw new Error(`it ends at byte ${size}, and what was committed ended at byte ${start.bytes}: bytes were lost`)
    await file.truncate(start.bytes)
  } catch (cause) {
    await file.close()
    throw sinkFailure(path, 'cannot be gone on with', cause)
  }
}

/**
 * A file of lines that is valid at every moment: only whole lines are handed to the system, and a write that fails
 * half-way is cut off again. What lies beyond `start` is cut off on opening.
 *
 * @throws SINK_FAILED the file cannot be opened, or is shorter than `start` says
 */
export async function createLineFile(path: string, start: Position = emptyPosition): Promise<Sink> {
  const file = await openFile(path)
  await cutBack(file, path, start)
  let position = start
  let failed: MillraceError | null = null
  let closed = false

  /** A write may take less than it was given: a full disk does so once before it says that it is full. */
  async function writeWhole(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.byteLength; ) {
      const { bytesWritten } = await file.write(bytes, offset, bytes.byteLength - offset, position.bytes + offset)
      offset += bytesWritten
    }
    await file.datasync()
  }

  return {
    get position() {
      return position
    },
    async write(chunks, count) {
      if (failed !== null) throw failed
      if (closed) throw new MillraceError('SINK_FAILED', `${path} was closed before these lines came`)
      const [only] = chunks
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
      if (bytes.byteLength === 0) return
      try {
        await writeWhole(bytes)
      } catch (cause) {
        // What was written of the last lines would be half a line for the next reader.
        await file.truncate(position.bytes).catch(() => {})
        failed = sinkFailure(path, 'could not be written', cause)
        throw failed
      }
      position = {
        bytes: position.bytes + bytes.byteLength,
        lines: position.lines + count,
        crc: crc32(bytes, position.crc),
      }
    },
    async [Symbol.asyncDispose]() {
      if (closed) return
      closed = true
      await file.close()
    },
  }
}
