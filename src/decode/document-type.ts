import { type Fault, faultOf } from '../core/errors.ts'
import { contentTypeOf } from './content-type.ts'
import { latin1 } from './latin1.ts'
import { binaryKindOf } from './magic-number.ts'

const parsable: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/xml',
  'application/xml',
  'text/plain',
])

/** Types by which a server says that it does not know, or only how it is packed. */
const undeclared: ReadonlySet<string> = new Set([
  '',
  'unknown/unknown',
  'application/unknown',
  'content/unknown',
  'application/octet-stream',
  'binary/octet-stream',
  'application/gzip',
  'application/x-gzip',
])

/** XML in any of its types (RFC 7303). */
export const isXml = (essence: string): boolean => /[/+]xml$/.test(essence)

/** True for types that are documents by what they say: HTML, XHTML, XML and its kin, plain text. */
export const isParsable = (essence: string): boolean => parsable.has(essence) || isXml(essence)

/** The tags of the WHATWG MIME Sniffing standard (7.1), the others that pages open with, and roots of feeds. */
const opening =
  /^(?:<!--|<\?xml|<(?:!doctype html|html|head|body|title|meta|link|base|script|noscript|style|iframe|h[1-6]|div|span|font|center|table|tr|td|ul|ol|dl|a|b|p|br|img|form|main|section|article|header|nav|footer|svg|rss|rdf:rdf|feed|urlset|sitemapindex)(?:[\t\n\f\r />]|$))/i

const longestEssence = 80
/** As much as browsers look at; white space before the first tag may fill all of it. */
const sampleBytes = 1445

/** True when the bytes open like an HTML or XML document, in any ASCII-compatible charset or UTF-16. */
export function sniffsAsHtml(bytes: Uint8Array): boolean {
  const text = latin1(bytes, sampleBytes).replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  return opening.test(text.replaceAll('\0', '').replace(/^[\t\n\f\r ]+/, ''))
}

/**
 * Whether a decoded body can be parsed as a document; null: yes. What the bytes are wins over what the header says
 * only against the page: a PNG served as text/html is refused, HTML served as application/json stays JSON.
 */
export function documentFault(contentType: string, bytes: Uint8Array): Fault | null {
  const { essence } = contentTypeOf(contentType)
  const kind = binaryKindOf(bytes)
  const says = undeclared.has(essence) ? 'of no declared type' : essence.slice(0, longestEssence)
  const accepted = 'accepted are HTML, XHTML, XML and plain text'
  if (kind !== null) return faultOf('CONTENT_TYPE', `the page is ${says}, and by its bytes ${kind}; ${accepted}`)
  if (isParsable(essence) || (undeclared.has(essence) && (bytes.byteLength === 0 || sniffsAsHtml(bytes)))) return null
  return faultOf('CONTENT_TYPE', `the page is ${says}; ${accepted}`)
}
