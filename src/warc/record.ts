import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { reasonPhrase } from '../core/reason-phrase.ts'
import { withoutCredentials } from '../core/url.ts'

/**
 * Records of a web archive: WARC 1.1 (ISO 28500:2017). A record is a head of named fields, a block, and two empty lines;
 * in a compressed archive each record is a gzip member of its own, so that one can be read without the others, and an
 * archive can be cut back to the end of any.
 *
 * The block of a response is what the server sent, its body still in its coding (`Content-Encoding`). Two things of the wire
 * are not there any more when a page has come: how its body was framed, so that `Transfer-Encoding` is kept as
 * `X-Orig-Transfer-Encoding`, and headers that came twice, which are joined. Secrets are left out: credentials in URLs,
 * cookies, and what the request said beside who asked for what.
 */
export interface Exchange {
  readonly url: string
  /** ISO wall time of the answer. */
  readonly at: string
  readonly userAgent: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Milliseconds; kept as a field of the record, for who replays it. */
  readonly timing?: { readonly connectMs: number; readonly firstByteMs: number; readonly totalMs: number }
  /** More of the record of the response. */
  readonly fields?: readonly Field[]
}

export type Field = readonly [name: string, value: string]

/** How hard records are compressed that are not compressed already, from 1 (fast) to 9. */
const usualEffort = 6

const encoder = new TextEncoder()
const secretHeaders: ReadonlySet<string> = new Set(['set-cookie', 'set-cookie2', 'www-authenticate'])

/** A line break in a value would begin a header of its own. */
const oneLine = (text: string): string => text.replace(/[\r\n\0]+/g, ' ')

const headText = (first: string, fields: readonly Field[]): string =>
  `${[first, ...fields.map(([name, value]) => `${name}: ${oneLine(value)}`)].join('\r\n')}\r\n\r\n`

/** The same for the same exchange: no chance is needed, and an archive that is made twice is the same twice. */
export function recordId(...parts: readonly string[]): string {
  const hex = hash('sha256', JSON.stringify(parts), 'hex')
  // Version 8 of RFC 9562: bits of one's own making.
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `<urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}>`
}

export function record(fields: readonly Field[], head: string, body: Uint8Array): Buffer {
  const block = Buffer.concat([encoder.encode(head), body])
  const warcHead = headText('WARC/1.1', [...fields, ['Content-Length', String(block.byteLength)]])
  return Buffer.concat([encoder.encode(warcHead), block, encoder.encode('\r\n\r\n')])
}

export const member = (bytes: Uint8Array, level: number): Uint8Array => gzipSync(bytes, { level })

function responseHead({ status, headers, body }: Exchange): string {
  const kept = Object.entries(headers)
    .filter(([name]) => !secretHeaders.has(name) && name !== 'content-length')
    .map(([name, value]): [string, string] => [name === 'transfer-encoding' ? 'x-orig-transfer-encoding' : name, value])
  return headText(`HTTP/1.1 ${status} ${reasonPhrase(status)}`.trimEnd(), [
    ...kept,
    ['content-length', String(body.byteLength)],
  ])
}

/** The request and the response of one page. `compress`: a member each. */
export function exchangeRecords(
  exchange: Exchange,
  compress: boolean,
  effort: number = usualEffort,
): Uint8Array<ArrayBuffer> {
  const { at, userAgent, headers, body, timing, fields = [] } = exchange
  const url = withoutCredentials(exchange.url)
  const { host, pathname, search } = new URL(url)
  const responseId = recordId('response', url, at)
  const common = [
    ['WARC-Target-URI', url],
    ['WARC-Date', at],
  ] as const
  const response = record(
    [
      ['WARC-Type', 'response'],
      ['WARC-Record-ID', responseId],
      ...common,
      ['Content-Type', 'application/http; msgtype=response'],
      ...(timing === undefined
        ? []
        : [
            [
              'Millrace-Timing',
              [timing.connectMs, timing.firstByteMs, timing.totalMs].map(ms => ms.toFixed(1)).join(' '),
            ] as const,
          ]),
      ...fields,
    ],
    responseHead(exchange),
    body,
  )
  const request = record(
    [
      ['WARC-Type', 'request'],
      ['WARC-Record-ID', recordId('request', url, at)],
      ['WARC-Concurrent-To', responseId],
      ...common,
      ['Content-Type', 'application/http; msgtype=request'],
    ],
    headText(`GET ${pathname}${search} HTTP/1.1`, [
      ['host', host],
      ['user-agent', userAgent],
    ]),
    new Uint8Array(0),
  )
  const isCoded = (headers['content-encoding'] ?? '') !== ''
  // The least effort where the body is compressed already.
  const whole = compress ? [member(response, isCoded ? 1 : effort), member(request, effort)] : [response, request]
  // Memory of its own: it is moved to another thread.
  const bytes = new Uint8Array(whole.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let filled = 0
  for (const piece of whole) {
    bytes.set(piece, filled)
    filled += piece.byteLength
  }
  return bytes
}

/** What an archive opens with: who made it. */
export function infoRecord(software: string, at: string, compress: boolean): Uint8Array {
  const info = record(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', recordId('warcinfo', software, at)],
      ['WARC-Date', at],
      ['Content-Type', 'application/warc-fields'],
    ],
    `software: ${oneLine(software)}\r\nformat: WARC File Format 1.1\r\n`,
    new Uint8Array(0),
  )
  return compress ? member(info, usualEffort) : info
}
