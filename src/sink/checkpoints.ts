import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import { MillraceError, sinkFailure } from '../core/errors.ts'
import type { Position } from './sink.ts'

/**
 * Reads a file up to the last of its positions and compares the checksum at each: a flipped bit or a foreign edit is told
 * with its place, and never built upon.
 * @param checkpoints in order; the last is where the file is gone on with
 * @throws SINK_FAILED the file is shorter, cannot be read, or is not what was written
 */
export async function verifyFile(path: string, checkpoints: readonly Position[]): Promise<void> {
  const marks = checkpoints.filter(({ bytes }) => bytes > 0)
  const last = marks.at(-1)
  if (last === undefined) return
  let at = 0
  let crc = 0
  let next = 0
  try {
    for await (const chunk of createReadStream(path, {
      end: last.bytes - 1,
      highWaterMark: 1 << 20,
    }) as AsyncIterable<Buffer>) {
      let rest = chunk
      for (let mark = marks[next]; mark !== undefined && mark.bytes <= at + rest.byteLength; mark = marks[next]) {
        const head = rest.subarray(0, mark.bytes - at)
        crc = crc32(head, crc)
        at += head.byteLength
        rest = rest.subarray(head.byteLength)
        if (crc !== mark.crc) throw damaged(path, marks[next - 1]?.bytes ?? 0, mark.bytes)
        next += 1
      }
      crc = crc32(rest, crc)
      at += rest.byteLength
    }
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown
    throw sinkFailure(path, 'cannot be read', thrown)
  }
  if (next < marks.length)
    throw new MillraceError(
      'SINK_FAILED',
      `${path} ends at byte ${at}, and what was committed ended at byte ${last.bytes}: bytes were lost`,
    )
}

const damaged = (path: string, from: number, to: number): MillraceError =>
  new MillraceError(
    'SINK_FAILED',
    `${path} is not what was written between byte ${from} and byte ${to}: mend it, or begin anew with --restart`,
  )
