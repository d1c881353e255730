import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { constants, gunzipSync, type InflateRaw, inflateRawSync } from 'node:zlib'

/** A file of compressed records that grows at its end. Synchronous: it lives in a thread of its own. */
export interface RecordFile {
  /** All of it, or throws. */
  write(bytes: Uint8Array): void
  /** What was written is on the disk. */
  close(): void
}

const firstTailBytes = 2 ** 20
const recordStart = 'WARC/1.'
const memberStart = Buffer.from([0x1f, 0x8b, 0x08])
/** Before and behind the compressed data of a member, as zlib writes them (RFC 1952). */
const headBytes = 10
const checkBytes = 8

/** What can be unpacked of it, though its end may be missing; null: it begins no member. */
function unpacked(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return null
  }
}

/** How long the member is that begins here; null: it is not whole. */
function memberBytes(bytes: Buffer): number | null {
  try {
    // The types do not know that what inflated the data comes along with it.
    const { engine } = inflateRawSync(bytes.subarray(headBytes), { info: true }) as unknown as { engine: InflateRaw }
    const length = headBytes + engine.bytesWritten + checkBytes
    return length <= bytes.byteLength ? length : null
  } catch {
    return null
  }
}

/** From the beginning of a member to the end of the last whole one. */
function wholeIn(bytes: Buffer): number {
  let end = 0
  for (;;) {
    const length = memberBytes(bytes.subarray(end))
    if (length === null) return end
    end += length
  }
}

/**
 * Where the last whole record of a file ends. A process that is killed may leave the beginning of one behind it, and
 * readers would stop there and not see what is written later. Each record is a gzip member, so the last one is looked for
 * from the end: three bytes that unpack to the head of a record.
 *
 * @param file open for reading
 */
export function wholeBytes(file: number): number {
  const { size } = fstatSync(file)
  for (let tailBytes = Math.min(size, firstTailBytes); ; tailBytes = Math.min(size, 2 * tailBytes)) {
    const tail = Buffer.alloc(tailBytes)
    const startAt = size - tailBytes
    readSync(file, tail, 0, tailBytes, startAt)
    for (let at = tail.lastIndexOf(memberStart); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(memberStart, at - 1)) {
      const found = tail.subarray(at)
      // Of one that has hardly begun nothing can be unpacked; then the one before it tells where it begins.
      if (unpacked(found)?.toString('latin1', 0, recordStart.length) === recordStart)
        return startAt + at + wholeIn(found)
    }
    if (tailBytes === size) return 0
  }
}

/**
 * @param goesOn an earlier process of the same run may have written it: go on behind its last whole record
 * @param head what a file opens with
 */
export function openRecordFile(path: string, goesOn: boolean, head: Uint8Array): RecordFile {
  const file = openSync(path, goesOn ? 'a+' : 'w')
  function write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(file, bytes, written)
  }
  const bytes = goesOn ? wholeBytes(file) : 0
  ftruncateSync(file, bytes)
  if (bytes === 0) write(head)
  return {
    write,
    close() {
      fdatasyncSync(file)
      closeSync(file)
    },
  }
}
