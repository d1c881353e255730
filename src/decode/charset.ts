import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder as ExactTextDecoder, getBOMEncoding, normalizeEncoding } from '@exodus/bytes/encoding.js'
import { MillraceError } from '../core/errors.ts'
import { contentTypeOf } from './content-type.ts'
import { isXml } from './document-type.ts'
import { latin1 } from './latin1.ts'
import { prescanMeta } from './meta-prescan.ts'
import { xmlDeclaredCharset } from './xml-declaration.ts'

/**
 * Which charset a page is in, and its text. Source: the encoding sniffing algorithm of the HTML standard (13.2.3.1),
 * the Encoding standard for labels and decoders. The first rule that gives an answer wins:
 *
 *   1. `bom`      a byte order mark, whatever else is said;
 *   2. `header`   the charset of Content-Type, if the label is known. The labels of the "replacement" encoding
 *                 (iso-2022-kr, hz-gb-2312, ...) count as unknown: browsers show one U+FFFD in place of such a page,
 *                 which is of no use to anybody who wants its data;
 *   3. `meta`     what the first 1024 bytes declare: a meta tag or an XML declaration, the latter first where the
 *                 type is XML; or a tag spelt in two-byte characters, which means UTF-16 without a mark;
 *   4. `utf-8`    the bytes are valid UTF-8;
 *   5. `meta`     a meta tag after the first 1024 bytes. Browsers start over when they meet it; here it is only looked
 *                 for where the bytes leave a doubt;
 *   6. `fallback` UTF-8 if at least nine in ten of its non-ASCII characters are whole (a page with a few broken bytes,
 *                 or cut inside one), else `options.fallback`.
 *
 * Broken bytes become U+FFFD; nothing here fails. Known weakness: a page in an undeclared legacy charset is read in
 * the fallback, since guessing by statistics is wrong too often to go unasked.
 */

export interface DecodedText {
  /** Without the byte order mark. Of UTF-8, made when it is first asked for: `utf8` may be all that is needed. */
  readonly text: string
  /** The bytes that `text` is of, where they mean the same as UTF-8, whole or broken; null: they are of another charset. */
  readonly utf8: Uint8Array | null
  /** The WHATWG name in lower case. */
  readonly charset: string
  readonly source: 'bom' | 'header' | 'meta' | 'utf-8' | 'fallback'
}

export interface DecodeTextOptions {
  /** Label of the charset of pages that neither declare one nor are UTF-8. Default: `windows-1252`, as in browsers. */
  readonly fallback?: string
}

/** What the standard lets a prescan look at. */
const prescanBytes = 1024
/** Of the non-ASCII characters of UTF-8, how many may be broken. */
const brokenRatio = 0.1

/** In which bytes of ASCII may mean something else. */
const otherThanAscii: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp'])

type Choice = Omit<DecodedText, 'text' | 'utf8'>

/** Node's own is fastest. */
const utf8Decoder = new TextDecoder()
const decoders = new Map<string, { decode(bytes: Uint8Array): string }>()

/** Of another charset than UTF-8. Node's own decoder gets big5, euc-kr and shift_jis wrong. */
function decodeAs(charset: string, bytes: Uint8Array): string {
  let decoder = decoders.get(charset)
  if (decoder === undefined) {
    decoder = new ExactTextDecoder(charset)
    decoders.set(charset, decoder)
  }
  return decoder.decode(bytes)
}

/** The name of the charset that `label` stands for; null for unknown labels and those of "replacement". */
export function charsetOfLabel(label: string): string | null {
  const charset = normalizeEncoding(label)
  return charset === 'replacement' ? null : charset
}

/** `<` and one more ASCII character of markup, each two bytes wide: no other charset has that meaning for it. */
function utf16WithoutMark(head: string): string | null {
  if (/^<\0[a-z!?]\0/i.test(head)) return 'utf-16le'
  return /^\0<\0[a-z!?]/i.test(head) ? 'utf-16be' : null
}

/** What the first 1024 bytes say themselves. */
function prescan(bytes: Uint8Array, essence: string): string | null {
  const head = latin1(bytes, prescanBytes)
  const wide = utf16WithoutMark(head)
  if (wide !== null) return wide
  return isXml(essence)
    ? (xmlDeclaredCharset(head) ?? prescanMeta(head))
    : (prescanMeta(head) ?? xmlDeclaredCharset(head))
}

function chooseBeforeDecoding(bytes: Uint8Array, contentType: string): Choice | null {
  const marked = getBOMEncoding(bytes)
  if (marked !== null) return { charset: marked, source: 'bom' }
  const { essence, charset: label } = contentTypeOf(contentType)
  const labelled = label === null ? null : charsetOfLabel(label)
  if (labelled !== null) return { charset: labelled, source: 'header' }
  const declared = prescan(bytes, essence)
  if (declared !== null) return { charset: declared, source: 'meta' }
  if (isUtf8(bytes)) return { charset: 'utf-8', source: 'utf-8' }
  const late = prescanMeta(latin1(bytes))
  return late === null ? null : { charset: late, source: 'meta' }
}

function isNearlyUtf8(text: string): boolean {
  let whole = 0
  let broken = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) broken += 1
    else if (unit > 0x7f) whole += 1
  }
  return broken <= (whole + broken) * brokenRatio
}

function fallbackOf(options: DecodeTextOptions): string {
  const label = options.fallback ?? 'windows-1252'
  const charset = charsetOfLabel(label)
  if (charset !== null) return charset
  throw new MillraceError('CONFIG_INVALID', `fallback is "${label}"; accepted is any label of the Encoding standard`)
}

function readAs(choice: Choice, bytes: Uint8Array): DecodedText {
  if (choice.charset !== 'utf-8' && !(isAscii(bytes) && !otherThanAscii.has(choice.charset)))
    return { text: decodeAs(choice.charset, bytes), utf8: null, ...choice }
  let text: string | null = null
  return {
    get text() {
      text ??= utf8Decoder.decode(bytes)
      return text
    },
    utf8: hasMark(bytes) ? bytes.subarray(3) : bytes,
    ...choice,
  }
}

const hasMark = ([first, second, third]: Uint8Array): boolean => first === 0xef && second === 0xbb && third === 0xbf

/** Decodes a page whose content codings are undone. @throws CONFIG_INVALID when `options.fallback` is no known label. */
export function decodeText(bytes: Uint8Array, contentType: string, options: DecodeTextOptions = {}): DecodedText {
  const fallback = fallbackOf(options)
  const choice = chooseBeforeDecoding(bytes, contentType)
  if (choice !== null) return readAs(choice, bytes)
  const asUtf8 = readAs({ charset: 'utf-8', source: 'fallback' }, bytes)
  return isNearlyUtf8(asUtf8.text) ? asUtf8 : readAs({ charset: fallback, source: 'fallback' }, bytes)
}
