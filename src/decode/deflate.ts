import { inflate, type Unwrapped, unwrappedOne } from './inflate.ts'

/**
 * The `deflate` coding. RFC 9110 means zlib-wrapped data (RFC 1950); many servers send the bare stream (RFC 1951), and
 * browsers take both. The first byte tells them apart: its low four bits are 1000 in a zlib header, which in a bare
 * stream would be a stored block with a padding that is not zero, and no encoder writes that.
 */

const headerBytes = 2
const trailerBytes = 4

/** Method 8, a window of at most 32 KiB, and the pair a multiple of 31 (RFC 1950, 2.2). */
export function looksZlibWrapped(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return bytes.byteLength >= headerBytes && (method & 0x8f) === 8 && ((method << 8) | flags) % 31 === 0
}

/** The checksum of RFC 1950, most significant byte first. Slow; only for pages whose checksum was cut. */
function adler32(bytes: Uint8Array): Uint8Array {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return Uint8Array.of(high >> 8, high & 0xff, low >> 8, low & 0xff)
}

/** Cut inside the page, or only inside the checksum behind it? The bare stream says. */
function inflateWithoutTrailer(body: Uint8Array, boundBytes: number): Unwrapped {
  const inflated = inflate('raw', body.subarray(headerBytes), boundBytes)
  if (inflated.kind !== 'inflated') return inflated
  const rest = body.subarray(headerBytes + inflated.consumedBytes)
  const checksum = adler32(inflated.bytes)
  if (rest.byteLength >= trailerBytes || rest.some((byte, at) => byte !== checksum[at]))
    return { kind: 'corrupt', message: 'incorrect data check' }
  return { kind: 'unwrapped', bytes: inflated.bytes, flags: ['missing-trailer'] }
}

export function inflateWrapped(body: Uint8Array, boundBytes: number): Unwrapped {
  const inflated = inflate('zlib', body, boundBytes)
  return inflated.kind === 'truncated' ? inflateWithoutTrailer(body, boundBytes) : unwrappedOne(inflated, body)
}

export const inflateEither = (body: Uint8Array, boundBytes: number): Unwrapped =>
  looksZlibWrapped(body) ? inflateWrapped(body, boundBytes) : unwrappedOne(inflate('raw', body, boundBytes), body)
