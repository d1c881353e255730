import { namedFields, type WarcRecord } from './read.ts'

/** An answer as an archive has it. */
export interface ArchivedResponse {
  readonly url: string
  /** ISO wall time. */
  readonly at: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Still content-coded, without the framing of its transfer. */
  readonly body: Uint8Array<ArrayBuffer>
}

/** Records that hold an answer over HTTP. */
export const isResponse = (fields: Readonly<Record<string, string>>): boolean =>
  fields['warc-type'] === 'response' && /^application\/http\b/i.test(fields['content-type'] ?? '')

/** Null: the block holds no answer. */
export function responseOf({ fields, block }: WarcRecord): ArchivedResponse | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const end = bytes.indexOf('\r\n\r\n')
  const text = bytes.toString('latin1', 0, end < 0 ? bytes.byteLength : end)
  const [first = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(first)?.[1]
  const url = (fields['warc-target-uri'] ?? '').replace(/^<(.*)>$/, '$1')
  if (status === undefined || !URL.canParse(url)) return null
  const headers = namedFields(lines)
  const framed = end < 0 ? bytes.subarray(bytes.byteLength) : bytes.subarray(end + 4)
  const body = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '') ? (unchunked(framed) ?? framed) : framed
  return { url, at: fields['warc-date'] ?? '', status: Number(status), headers, body: new Uint8Array(body) }
}

/** Null: it is not chunked, whatever its head says; some archives keep the head and not the chunks. */
function unchunked(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = /^([0-9a-f]+)[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', at, Math.max(at, lineEnd)))?.[1]
    if (lineEnd < 0 || size === undefined) return null
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
    if (at > bytes.byteLength) return null
  }
}
