import { type DecodeFlag, type Failure, inflate, joined, type Unwrapped } from './inflate.ts'

/**
 * zstd (RFC 8878), frame by frame. The ends of the frames are found here by hopping over the block headers: the
 * decoder is then given exactly one frame, and a cut body, one that only lacks its checksum and one with bytes after
 * its end are told apart before a byte is decoded.
 */

const magic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const blockHeaderBytes = 3
const checksumBytes = 4
const hasChecksum = 0x04
const isSingleSegment = 0x20
/** Setting up a decoder costs some 50 microseconds; endless tiny frames would hold the thread for seconds. */
const mostFrames = 1024

const truncated: Failure = { kind: 'truncated', message: 'unexpected end of file' }

function littleEndian(bytes: Uint8Array, at: number, widthBytes: number): number {
  let value = 0
  for (let index = widthBytes - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}

/** True also for a beginning of the magic number: nothing but a cut zstd body looks like that. */
export const looksZstd = (bytes: Uint8Array): boolean =>
  bytes.byteLength > 0 &&
  (isSkippable(bytes, 0) || [0x28, 0xb5, 0x2f, 0xfd].every((byte, at) => at >= bytes.byteLength || bytes[at] === byte))

const isSkippable = (bytes: Uint8Array, at: number): boolean =>
  (littleEndian(bytes, at, 4) & 0xfffffff0) >>> 0 === skippableMagic

const isFrame = (bytes: Uint8Array, at: number): boolean =>
  littleEndian(bytes, at, 4) === magic || isSkippable(bytes, at)

interface Frame {
  /** Null: the frame holds no data. */
  readonly contentBytes: number | null
  /** Without the checksum. */
  readonly blocksEnd: number
  readonly end: number
}

function frameAt(bytes: Uint8Array, at: number): Frame | Failure {
  if (isSkippable(bytes, at)) {
    const end = at + 8 + littleEndian(bytes, at + 4, 4)
    return end <= bytes.byteLength ? { contentBytes: null, blocksEnd: end, end } : truncated
  }
  const descriptor = bytes[at + 4] ?? 0
  const isSingle = (descriptor & isSingleSegment) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const sizeAt = at + 5 + (isSingle ? 0 : 1) + dictionaryBytes
  // Two-byte sizes start where one-byte sizes end (RFC 8878, 3.1.1.1.4).
  const contentBytes = littleEndian(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
  let blockAt = sizeAt + sizeBytes
  for (let isLast = false; !isLast; ) {
    if (blockAt + blockHeaderBytes > bytes.byteLength) return truncated
    const header = littleEndian(bytes, blockAt, blockHeaderBytes)
    const type = (header >> 1) & 3
    // A block of type 1 is one byte, repeated.
    blockAt += blockHeaderBytes + (type === 1 ? 1 : header >> 3)
    if (blockAt > bytes.byteLength) return truncated
    isLast = (header & 1) === 1
  }
  return { contentBytes, blocksEnd: blockAt, end: blockAt + ((descriptor & hasChecksum) !== 0 ? checksumBytes : 0) }
}

/** A frame whose checksum was cut off, as one that never had it. A true copy: `slice` of a Buffer is only a view. */
function withoutChecksum(bytes: Uint8Array, at: number, blocksEnd: number): Uint8Array {
  const copy = Uint8Array.from(bytes.subarray(at, blocksEnd))
  copy[4] = (copy[4] ?? 0) & ~hasChecksum
  return copy
}

export function unzstd(body: Uint8Array, boundBytes: number): Unwrapped {
  const parts: Uint8Array[] = []
  const flags: DecodeFlag[] = []
  let at = 0
  let totalBytes = 0
  if (!isFrame(body, 0)) return truncated
  for (let frames = 0; isFrame(body, at); frames++) {
    if (frames === mostFrames) return { kind: 'corrupt', message: `more than ${mostFrames} frames` }
    const frame = frameAt(body, at)
    if ('kind' in frame) return frame
    if (frame.contentBytes !== null) {
      const isWhole = frame.end <= body.byteLength
      const input = isWhole ? body.subarray(at, frame.end) : withoutChecksum(body, at, frame.blocksEnd)
      if (!isWhole) flags.push('missing-trailer')
      const inflated = inflate('zstd', input, boundBytes - totalBytes, frame.contentBytes)
      if (inflated.kind !== 'inflated') return inflated
      parts.push(inflated.bytes)
      totalBytes += inflated.bytes.byteLength
    }
    at = Math.min(frame.end, body.byteLength)
  }
  if (at < body.byteLength) flags.push('trailing-bytes')
  return { kind: 'unwrapped', bytes: joined(parts), flags }
}
