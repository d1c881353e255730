import { crc32 } from 'node:zlib'
import { type DecodeFlag, type Failure, inflate, joined, type Unwrapped } from './inflate.ts'

/**
 * gzip (RFC 1952), member by member: header, raw deflate, trailer of CRC-32 and size modulo 2^32.
 *
 * The headers are read here, and only the deflate streams are left to zlib, because its own gunzip mode refuses what
 * browsers accept: a body whose trailer is missing or cut (all of the page is there), and bytes after the last member.
 * What there is of a trailer must be right, and a member once begun must end: a page is whole or it is an error.
 */

const headerBytes = 10
const trailerBytes = 8
/** 64 MiB in the blocks of bgzip; setting up the streams of endless tiny members would hold the thread for seconds. */
const mostMembers = 1024

const hasHeaderCrc = 0x02
const hasExtra = 0x04
const hasName = 0x08
const hasComment = 0x10
const reservedFlags = 0xe0

const startsMember = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x1f && bytes[at + 1] === 0x8b

/** True for gzip data, whatever the headers say: a `.gz` file may be sent with a content coding on top. */
export const looksGzipped = (bytes: Uint8Array): boolean =>
  startsMember(bytes, 0) && (bytes.byteLength < 3 || bytes[2] === 8)

const truncated: Failure = { kind: 'truncated', message: 'unexpected end of file' }

const u32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0

/** Where the deflate data of the member at `at` begins. */
function dataStart(bytes: Uint8Array, at: number): number | Failure {
  if (at + headerBytes > bytes.byteLength) return truncated
  const flags = bytes[at + 3] ?? 0
  if (bytes[at + 2] !== 8 || (flags & reservedFlags) !== 0) return { kind: 'corrupt', message: 'unknown header flags' }
  let start = at + headerBytes
  if ((flags & hasExtra) !== 0) start += 2 + ((bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8))
  for (const flag of [hasName, hasComment]) {
    if ((flags & flag) === 0) continue
    const end = bytes.indexOf(0, start)
    if (end === -1) return truncated
    start = end + 1
  }
  if ((flags & hasHeaderCrc) !== 0) start += 2
  return start < bytes.byteLength ? start : truncated
}

function trailerOf(page: Uint8Array): Uint8Array {
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(crc32(page), 0)
  trailer.writeUInt32LE(page.byteLength % 2 ** 32, 4)
  return trailer
}

export function gunzip(body: Uint8Array, boundBytes: number): Unwrapped {
  const parts: Uint8Array[] = []
  const flags: DecodeFlag[] = []
  // Right for a single member, which is nearly always.
  const expectedBytes = u32(body, body.byteLength - 4)
  let at = 0
  let totalBytes = 0
  do {
    if (parts.length === mostMembers) return { kind: 'corrupt', message: `more than ${mostMembers} members` }
    const start = dataStart(body, at)
    if (typeof start !== 'number') return start
    const member = inflate('raw', body.subarray(start), boundBytes - totalBytes, expectedBytes)
    if (member.kind !== 'inflated') return member
    parts.push(member.bytes)
    totalBytes += member.bytes.byteLength
    at = start + member.consumedBytes
    const trailer = body.subarray(at, at + trailerBytes)
    const expected = trailerOf(member.bytes)
    if (trailer.some((byte, index) => byte !== expected[index]))
      return { kind: 'corrupt', message: 'incorrect data check' }
    if (trailer.byteLength < trailerBytes) flags.push('missing-trailer')
    at += trailer.byteLength
  } while (startsMember(body, at))
  if (at < body.byteLength) flags.push('trailing-bytes')
  return { kind: 'unwrapped', bytes: joined(parts), flags }
}
