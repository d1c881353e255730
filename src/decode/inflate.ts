import { brotliDecompressSync, constants, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { messageOf } from '../core/errors.ts'

/**
 * One compressed stream, decoded whole or not at all, with a bound on what it may grow to.
 *
 * Node's synchronous calls decode in one go, throw `Z_BUF_ERROR` where the input ends before the stream does, and
 * stop at the end of the stream: `info` then tells how much input that took, so whatever follows is the caller's to
 * judge. `maxOutputLength` is looked at after each output chunk, before the chunks are joined; a bomb costs the bound
 * and one chunk, whatever it claims to hold.
 */

/** Something odd that did not cost a byte of the page. */
export type DecodeFlag = 'missing-trailer' | 'trailing-bytes' | 'mislabelled'

export interface Failure {
  /** `truncated`: the input ended before the stream did. */
  readonly kind: 'truncated' | 'corrupt' | 'too-large'
  readonly message: string
}

export type Inflated =
  | { readonly kind: 'inflated'; readonly bytes: Uint8Array; readonly consumedBytes: number }
  | Failure

/** A whole content coding undone: every member, the trailers checked. */
export type Unwrapped =
  | { readonly kind: 'unwrapped'; readonly bytes: Uint8Array; readonly flags: readonly DecodeFlag[] }
  | Failure

export type StreamFormat = 'raw' | 'zlib' | 'br' | 'zstd'

/** The most that a body may pass its bound by before it is given up. */
const chunkBytes = 64 * 1024
/** A size that a header claims is only believed up to this growth: memory is not handed out on somebody's word. */
const likelyGrowthRatio = 64

interface SyncOptions {
  readonly info: true
  readonly chunkSize: number
  readonly maxOutputLength: number
}

/** The window that RFC 9659 allows for the zstd content coding: 8 MiB. A frame may ask for 128 MiB of memory else. */
const zstdParams = { [constants.ZSTD_d_windowLogMax]: 23 }

const decoders: Readonly<Record<StreamFormat, (input: Uint8Array, options: SyncOptions) => unknown>> = {
  raw: inflateRawSync,
  zlib: inflateSync,
  br: brotliDecompressSync,
  zstd: (input, options) => zstdDecompressSync(input, { ...options, params: zstdParams }),
}

/** What `info: true` makes of the result; the typings know only the plain buffer. */
interface Informed {
  readonly buffer: Uint8Array
  readonly engine: { readonly bytesWritten: number }
}

function failureOf(thrown: unknown): Failure {
  const message = messageOf(thrown)
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
  if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large', message: 'more than its bound' }
  return { kind: code === 'Z_BUF_ERROR' ? 'truncated' : 'corrupt', message }
}

/** A small result would keep its whole chunk alive; a thousand one-byte members would keep a thousand chunks. */
const withoutSlack = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength * 4 < bytes.buffer.byteLength ? Uint8Array.from(bytes) : bytes

function attempt(format: StreamFormat, input: Uint8Array, chunkSize: number, boundBytes: number): Inflated {
  try {
    const options = { info: true, chunkSize, maxOutputLength: Math.max(1, boundBytes) } as const
    const { buffer, engine } = decoders[format](input, options) as Informed
    if (buffer.byteLength > boundBytes) return { kind: 'too-large', message: 'more than its bound' }
    return { kind: 'inflated', bytes: withoutSlack(buffer), consumedBytes: engine.bytesWritten }
  } catch (thrown) {
    return failureOf(thrown)
  }
}

/**
 * Decodes the one stream at the start of `input` to at most `boundBytes`. A true `expectedBytes` (0: not known) saves
 * the joining of chunks; a false one costs a second attempt, never more memory than the bound.
 */
export function inflate(format: StreamFormat, input: Uint8Array, boundBytes: number, expectedBytes = 0): Inflated {
  const isLikely = expectedBytes <= boundBytes && expectedBytes <= input.byteLength * likelyGrowthRatio
  if (expectedBytes > chunkBytes && isLikely) {
    // One byte of room: a full chunk would make zlib ask again.
    const inflated = attempt(format, input, expectedBytes + 1, expectedBytes)
    if (inflated.kind !== 'too-large') return inflated
  }
  return attempt(format, input, chunkBytes, boundBytes)
}

/** The outputs of several members as one body, without a copy where there is one. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}

/** A coding of one stream and nothing else. */
export const unwrappedOne = (inflated: Inflated, body: Uint8Array): Unwrapped =>
  inflated.kind === 'inflated'
    ? {
        kind: 'unwrapped',
        bytes: inflated.bytes,
        flags: inflated.consumedBytes === body.byteLength ? [] : ['trailing-bytes'],
      }
    : inflated
