import { type Fault, faultOf } from '../core/errors.ts'
import { inflateEither, inflateWrapped, looksZlibWrapped } from './deflate.ts'
import { gunzip, looksGzipped } from './gzip.ts'
import { type DecodeFlag, type Failure, inflate, type Unwrapped, unwrappedOne } from './inflate.ts'
import { isPlainText } from './plain-text.ts'
import { looksZstd, unzstd } from './zstd.ts'

/**
 * Undoes the Content-Encoding of a body, in memory, with a bound.
 *
 * The header says which codings were applied, in order, so they are undone from its end. It is often wrong: proxies
 * unpack a body and leave the header, or pack with another coding. So each stage asks, in this order,
 *   1. is it what the header says? A signature that fits makes that certain: a failure then is final;
 *   2. does it carry the signature of another coding (gzip, zstd, zlib)?
 *   3. is it plain text? Then nothing was applied;
 *   4. does it decode, to its last byte and to plain text, as a coding without a signature (br, bare deflate)?
 * Whatever ends before its stream does is a failure: half a page is never handed on. What is odd but harmless is a
 * flag.
 */

export type Decoded =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array; readonly flags: readonly DecodeFlag[] }
  /** BODY_TOO_LARGE or DECODE_FAILED. */
  | { readonly kind: 'faulted'; readonly fault: Fault }

interface Coding {
  readonly name: string
  /** Null: the format has no signature, any bytes may be it. */
  readonly looksLike: ((bytes: Uint8Array) => boolean) | null
  unwrap(bytes: Uint8Array, boundBytes: number): Unwrapped
}

const unbrotli = (body: Uint8Array, boundBytes: number): Unwrapped =>
  unwrappedOne(inflate('br', body, boundBytes), body)

const gzip: Coding = { name: 'gzip', looksLike: looksGzipped, unwrap: gunzip }
const zstd: Coding = { name: 'zstd', looksLike: looksZstd, unwrap: unzstd }
const deflate: Coding = { name: 'deflate', looksLike: null, unwrap: inflateEither }
const br: Coding = { name: 'br', looksLike: null, unwrap: unbrotli }
/** Only guessed, never named by a header. */
const zlib: Coding = { name: 'zlib', looksLike: looksZlibWrapped, unwrap: inflateWrapped }

const codings: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflate],
  ['x-deflate', deflate],
  ['br', br],
  ['zstd', zstd],
])

/** What an Accept-Encoding may name. */
const decodableCodings: readonly string[] = [gzip, deflate, br, zstd].map(({ name }) => name)

const mostStages = 5
/** Of text that stands where a stream without a signature should: see `isPlainText`. */
const leastTextBytes = 16

/** The codings to undo, in that order. Names are case-insensitive; quotes and parameters occur, though not allowed. */
const stagesOf = (contentCoding: string): readonly string[] =>
  contentCoding
    .toLowerCase()
    .split(',')
    .map(name => name.replace(/;.*/s, '').replaceAll('"', '').trim())
    .filter(name => name !== '' && name !== 'identity')
    .reverse()

const mislabelled = (unwrapped: Unwrapped): Unwrapped =>
  unwrapped.kind === 'unwrapped' ? { ...unwrapped, flags: [...unwrapped.flags, 'mislabelled'] } : unwrapped

/** Steps 2 to 4: the bytes are not what `claimed` means. Null: they are nothing that is known. */
function guess(bytes: Uint8Array, claimed: Coding | undefined, boundBytes: number): Unwrapped | null {
  for (const coding of [gzip, zstd, zlib])
    if (coding !== claimed && coding.looksLike?.(bytes)) {
      const unwrapped = coding.unwrap(bytes, boundBytes)
      if (unwrapped.kind === 'unwrapped' || unwrapped.kind === 'too-large') return mislabelled(unwrapped)
    }
  const hasSignature = claimed !== undefined && claimed.looksLike !== null
  if (isPlainText(bytes, hasSignature ? 1 : leastTextBytes)) return { kind: 'unwrapped', bytes, flags: ['mislabelled'] }
  for (const coding of [br, deflate]) {
    if (coding === claimed) continue
    const unwrapped = coding.unwrap(bytes, boundBytes)
    const isText = unwrapped.kind === 'unwrapped' && isPlainText(unwrapped.bytes, leastTextBytes)
    if (isText && unwrapped.flags.length === 0) return mislabelled(unwrapped)
  }
  return null
}

/** Text can begin like a stream without a signature: `{` alone is a complete, empty brotli stream. */
const isCertain = (coding: Coding, bytes: Uint8Array, flags: readonly DecodeFlag[]): boolean =>
  coding.looksLike !== null || !flags.includes('trailing-bytes') || !isPlainText(bytes)

function undo(name: string, bytes: Uint8Array, boundBytes: number): Unwrapped {
  const claimed = codings.get(name)
  let failure: Failure = { kind: 'corrupt', message: 'incorrect header check' }
  if (claimed !== undefined && (claimed.looksLike?.(bytes) ?? true)) {
    const unwrapped = claimed.unwrap(bytes, boundBytes)
    if (unwrapped.kind === 'unwrapped') {
      if (isCertain(claimed, bytes, unwrapped.flags)) return unwrapped
    } else {
      if (claimed.looksLike !== null || unwrapped.kind === 'too-large') return unwrapped
      failure = unwrapped
    }
  }
  return guess(bytes, claimed, boundBytes) ?? failure
}

const printable = (name: string): string => name.slice(0, 40).replace(/[^\x21-\x7e]/g, '?')

function faultOfFailure(failure: Failure, name: string, capBytes: number): Fault {
  if (failure.kind === 'too-large') return tooLarge(capBytes)
  if (!codings.has(name))
    return faultOf(
      'DECODE_FAILED',
      `the content coding "${printable(name)}" is unknown; accepted are ${decodableCodings.join(', ')}`,
    )
  return faultOf('DECODE_FAILED', `the body is ${failure.kind} as ${printable(name)}: ${failure.message}`)
}

const tooLarge = (capBytes: number): Fault =>
  faultOf('BODY_TOO_LARGE', `the decoded body is larger than limits.bodyBytes (${capBytes})`)

/**
 * `body` without its content codings. `contentCoding` is the header, empty when there was none. No stage may give more
 * than `capBytes`; memory stays within that and one chunk for each of the two stages at hand. The result is `body`
 * itself where nothing was to be undone. Never throws.
 */
export function decodeContent(body: Uint8Array, contentCoding: string, capBytes: number): Decoded {
  const stages = contentCoding === '' ? [] : stagesOf(contentCoding)
  if (stages.length > mostStages) {
    const message = `the body has ${stages.length} content codings on top of each other; at most ${mostStages} are undone`
    return { kind: 'faulted', fault: faultOf('DECODE_FAILED', message) }
  }
  const flags = new Set<DecodeFlag>()
  let bytes = body
  for (const name of stages) {
    if (bytes.byteLength === 0) break
    const unwrapped = undo(name, bytes, capBytes)
    if (unwrapped.kind !== 'unwrapped') return { kind: 'faulted', fault: faultOfFailure(unwrapped, name, capBytes) }
    bytes = unwrapped.bytes
    for (const flag of unwrapped.flags) flags.add(flag)
  }
  if (bytes.byteLength > capBytes) return { kind: 'faulted', fault: tooLarge(capBytes) }
  return { kind: 'decoded', bytes, flags: [...flags] }
}
