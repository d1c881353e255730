import * as zlib from 'node:zlib'

/** Test-side packers of every coding that is decoded, one entry for each form found on the web. */
export interface Packer {
  readonly name: string
  /** The header that goes with it. */
  readonly header: string
  /** Bytes behind the data that may be missing without a loss. */
  readonly trailerBytes: number
  pack(bytes: Uint8Array): Uint8Array
}

const { constants } = zlib
/** Quality 11 takes seconds on the sizes used here. */
const quality = { [constants.BROTLI_PARAM_QUALITY]: 4 }

export const packers: readonly Packer[] = [
  { name: 'gzip', header: 'gzip', trailerBytes: 8, pack: bytes => zlib.gzipSync(bytes) },
  { name: 'deflate in zlib', header: 'deflate', trailerBytes: 4, pack: bytes => zlib.deflateSync(bytes) },
  { name: 'bare deflate', header: 'deflate', trailerBytes: 0, pack: bytes => zlib.deflateRawSync(bytes) },
  { name: 'br', header: 'br', trailerBytes: 0, pack: bytes => zlib.brotliCompressSync(bytes, { params: quality }) },
  { name: 'zstd', header: 'zstd', trailerBytes: 0, pack: bytes => zlib.zstdCompressSync(bytes) },
  {
    name: 'zstd with checksum',
    header: 'zstd',
    trailerBytes: 4,
    pack: bytes => zlib.zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  },
]

export const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
export const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
export const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))
