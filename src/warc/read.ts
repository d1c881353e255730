import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf } from '../core/errors.ts'
import { type Bytes, createByteReader } from './byte-reader.ts'

/** A record of an archive, whole. Names of fields are lower-case. */
export interface WarcRecord {
  readonly fields: Readonly<Record<string, string>>
  readonly block: Uint8Array<ArrayBuffer>
}

/** One that cannot be read; what follows it is not looked for. */
export interface BrokenRecord {
  readonly atByte: number
  readonly reason: string
}

/** Records of other kinds than these are passed over, whatever their length. */
export type WantsRecord = (fields: Readonly<Record<string, string>>) => boolean

const mostHeadBytes = 1 << 16
/** At a time: each is a way to another thread and back. */
const unpackedBytes = 1 << 18

const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

/**
 * Records of a WARC file, one after the other, with no more of it in memory than one: compressed or not, told by its
 * first bytes, and of either version.
 *
 * @param mostBytes blocks longer than this are told as broken, and passed over
 */
export async function* readWarc(
  source: Readable,
  wants: WantsRecord,
  mostBytes: number,
): AsyncGenerator<WarcRecord | BrokenRecord> {
  const raw = createByteReader(source)
  const start = await raw.peek(2)
  const reader = isGzip(start) ? createByteReader(raw.rest().pipe(createGunzip({ chunkSize: unpackedBytes }))) : raw
  try {
    for (;;) {
      await skipEmptyLines(reader)
      const atByte = reader.position
      const head = await reader.until('\r\n\r\n', mostHeadBytes)
      if (head === null) {
        if (reader.position > atByte || (await reader.peek(1)).byteLength > 0)
          yield { atByte, reason: 'here begins no record of a web archive' }
        return
      }
      const fields = fieldsOf(head)
      if (fields === null) return yield { atByte, reason: 'here begins no record of a web archive' }
      const length = Number(fields['content-length'])
      if (!Number.isSafeInteger(length) || length < 0)
        return yield { atByte, reason: 'the record does not say how long it is' }
      if (!wants(fields) || length > mostBytes) {
        const skipped = await reader.skip(length)
        if (skipped < length)
          return yield { atByte, reason: `the archive ends in this record, ${length - skipped} bytes short` }
        if (wants(fields)) yield { atByte, reason: `the record of ${length} bytes is longer than ${mostBytes}` }
        continue
      }
      const block = await reader.take(length)
      if (block === null) return yield { atByte, reason: 'the archive ends in this record' }
      yield { fields, block }
    }
  } catch (thrown) {
    yield { atByte: reader.position, reason: messageOf(thrown) }
  } finally {
    source.destroy()
  }
}

async function skipEmptyLines(reader: Bytes): Promise<void> {
  for (;;) {
    const [first] = await reader.peek(1)
    if (first !== 0x0d && first !== 0x0a) return
    await reader.skip(1)
  }
}

/** Null: no head of a record. Lines that begin with white space go on with the one before. */
function fieldsOf(head: string): Record<string, string> | null {
  const [version = '', ...lines] = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (!/^WARC\/\d/.test(version)) return null
  return namedFields(lines)
}

export function namedFields(lines: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at < 1) continue
    const name = line.slice(0, at).trim().toLowerCase()
    const value = line.slice(at + 1).trim()
    fields[name] = fields[name] === undefined ? value : `${fields[name]}, ${value}`
  }
  return fields
}
