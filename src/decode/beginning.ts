import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { looksZlibWrapped } from './deflate.ts'

/**
 * The first bytes of a coded body that is too long to be had whole, or was cut.
 *
 * Node's synchronous calls give what a cut stream holds when they are told to flush instead of to finish, but nothing
 * at all of one that grows beyond its bound. So the longest beginning of the *body* is sought whose content stays
 * within the bound, by halving, until that content is long enough: some ten tries, none of which makes more than the
 * bound and one chunk, whatever the body holds.
 */

type Inflate = (input: Uint8Array, maxOutputLength: number) => Uint8Array

const gunzip: Inflate = (input, maxOutputLength) =>
  gunzipSync(input, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })

const inflate: Inflate = (input, maxOutputLength) =>
  (looksZlibWrapped(input) ? inflateSync : inflateRawSync)(input, {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength,
  })

const inflates: ReadonlyMap<string, Inflate> = new Map([
  ['', input => input],
  ['identity', input => input],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['x-deflate', inflate],
  [
    'br',
    (input, maxOutputLength) =>
      brotliDecompressSync(input, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength }),
  ],
  [
    'zstd',
    (input, maxOutputLength) => zstdDecompressSync(input, { finishFlush: constants.ZSTD_e_flush, maxOutputLength }),
  ],
])

/** How much more than is wanted may come out: it spares tries. */
const slackRatio = 4

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE'

/**
 * At least `wantedBytes` of the content, or all that `body` holds of it. Null where the coding is unknown, where there
 * are several, where the data is broken, and where a single byte of it makes more than the bound. Never throws.
 */
export function beginningOf(body: Uint8Array, contentCoding: string, wantedBytes: number): Uint8Array | null {
  const decode = inflates.get(contentCoding.trim().toLowerCase())
  if (decode === undefined) return null
  let fitting = 0
  let tooLong = body.byteLength + 1
  let length = body.byteLength
  while (length > fitting) {
    try {
      const content = decode(body.subarray(0, length), slackRatio * wantedBytes)
      if (content.byteLength >= wantedBytes || length === body.byteLength) return content
      fitting = length
    } catch (thrown) {
      if (!isTooLarge(thrown)) return null
      tooLong = length
    }
    length = fitting + ((tooLong - fitting) >> 1)
  }
  return null
}
