import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'

/**
 * Each commit is a member (gzip, RFC 1952) or a frame (zstd, RFC 8878) of its own, and a file of them in a row is valid
 * wherever one ends: so it can be cut back, and gone on with. It is made in the thread pool of Node.
 */
export interface Compression {
  /** Added to the name of the file. */
  readonly ending: string
  readonly encode: (bytes: Uint8Array) => Promise<Uint8Array>
}

/** Large enough for what most commits come to: the main thread is told once and not for each piece. */
const chunkSize = 1 << 18

const gzipped = promisify<Uint8Array, object, Buffer>(gzip)
const zstd = promisify<Uint8Array, object, Buffer>(zstdCompress)

export const compressions = {
  none: { ending: '', encode: async bytes => bytes },
  gzip: { ending: '.gz', encode: bytes => gzipped(bytes, { chunkSize }) },
  zstd: { ending: '.zst', encode: bytes => zstd(bytes, { chunkSize }) },
} as const satisfies Record<string, Compression>

export type CompressionName = keyof typeof compressions
