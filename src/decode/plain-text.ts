import { isUtf8 } from 'node:buffer'
import { latin1 } from './latin1.ts'

/** As much as browsers look at to tell text from data (WHATWG MIME Sniffing, 5.1). */
const sampleBytes = 1445

/** The standard's "binary data bytes": no text in any charset of the web holds them. */
const isBinaryByte = (byte: number): boolean =>
  byte < 0x20 && !(byte === 0x1b || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b))

const hasByteOrderMark = ([first, second, third]: Uint8Array): boolean =>
  (first === 0xef && second === 0xbb && third === 0xbf) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0xff && second === 0xfe)

/** A sample may end inside a character. */
const isUtf8ButForItsEnd = (sample: Uint8Array, isCut: boolean): boolean =>
  isUtf8(sample) || (isCut && [1, 2, 3].some(cutBytes => isUtf8(sample.subarray(0, sample.byteLength - cutBytes))))

const startsWithTag = (sample: Uint8Array): boolean => /^[\t\n\f\r ]*<[a-z!?/]/i.test(latin1(sample))

/**
 * True when `bytes` are text beyond doubt: no control bytes, and UTF-8 or markup. Noise of `n` bytes passes with a
 * chance of about 0.4^n, hence `leastBytes` for callers whose other guess is a stream without a signature; markup
 * needs no such proof.
 */
export function isPlainText(bytes: Uint8Array, leastBytes = 1): boolean {
  const sample = bytes.subarray(0, sampleBytes)
  if (hasByteOrderMark(sample)) return sample.byteLength >= leastBytes
  if (sample.some(isBinaryByte)) return false
  if (startsWithTag(sample)) return true
  return sample.byteLength >= leastBytes && isUtf8ButForItsEnd(sample, bytes.byteLength > sampleBytes)
}
