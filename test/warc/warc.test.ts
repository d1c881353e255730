import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type BrokenRecord, readWarc, type WarcRecord } from '../../src/warc/read.ts'
import { type Exchange, exchangeRecords, infoRecord } from '../../src/warc/record.ts'
import { isResponse, responseOf } from '../../src/warc/response.ts'

const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  url: 'https://shop.test/a?b=1',
  at: '2030-01-02T03:04:05.678Z',
  userAgent: 'Millrace/1',
  status: 200,
  headers: { 'content-type': 'text/html', 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' },
  body: gzipSync('<h1>a</h1>'),
  ...more,
})

/** In pieces of one size, so that every mark is cut somewhere. */
const streamOf = (bytes: Uint8Array, pieceBytes: number): Readable =>
  Readable.from(
    (function* pieces() {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    })(),
    { objectMode: false },
  )

async function readAll(bytes: Uint8Array, pieceBytes = 1 << 16, wants = isResponse, most = 1e6) {
  const records: (WarcRecord | BrokenRecord)[] = []
  for await (const record of readWarc(streamOf(bytes, pieceBytes), wants, most)) records.push(record)
  return records
}

const responses = async (...args: Parameters<typeof readAll>) =>
  (await readAll(...args)).map(record => ('reason' in record ? record : responseOf(record)))

const archive = (compress: boolean, count = 3): Buffer =>
  Buffer.concat([
    infoRecord('millrace', '2030-01-01T00:00:00.000Z', compress),
    ...Array.from({ length: count }, (_, nth) =>
      exchangeRecords(exchange({ url: `https://shop.test/${nth}` }), compress),
    ),
  ])

describe.each([true, false])('an archive, compressed: %s', compress => {
  test.each([1, 7, 1 << 16])('gives back each answer as it came, read in pieces of %i bytes', async pieceBytes => {
    const { body, at } = exchange()
    expect(await responses(archive(compress), pieceBytes)).toEqual(
      [0, 1, 2].map(nth => ({
        url: `https://shop.test/${nth}`,
        at,
        status: 200,
        headers: Object.assign(Object.create(null), {
          'content-type': 'text/html',
          'content-encoding': 'gzip',
          'x-orig-transfer-encoding': 'chunked',
          'content-length': String(body.byteLength),
        }),
        body: new Uint8Array(body),
      })),
    )
  })

  test('has the request beside each answer, and says which belongs to which', async () => {
    const records = (await readAll(archive(compress, 1), 100, () => true)) as WarcRecord[]
    expect(records.map(({ fields }) => fields['warc-type'])).toEqual(['warcinfo', 'response', 'request'])
    const [, response, request] = records
    expect(request?.fields['warc-concurrent-to']).toBe(response?.fields['warc-record-id'])
    expect(Buffer.from(request?.block ?? []).toString()).toBe(
      'GET /0 HTTP/1.1\r\nhost: shop.test\r\nuser-agent: Millrace/1\r\n\r\n',
    )
    const ids = records.map(({ fields }) => fields['warc-record-id'])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids)
      expect(id).toMatch(/^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/)
  })

  test('that ends in a record gives what was whole, and tells the rest', async () => {
    const whole = archive(compress)
    const last = await readAll(whole.subarray(0, whole.byteLength - (compress ? 300 : 500)))
    expect(last.filter(record => 'fields' in record).length).toBeGreaterThanOrEqual(2)
    expect(last.filter(record => 'reason' in record).length).toBeLessThanOrEqual(1)
  })
})

test('no secret is in a record: credentials of URLs, cookies', () => {
  const headers = { 'set-cookie': 'sid=secret', 'content-type': 'text/html' }
  const records = exchangeRecords(exchange({ url: 'https://user:secret@shop.test/', headers }), false)
  expect(Buffer.from(records).toString('latin1')).not.toMatch(/secret|user:/)
})

test('a header with a line break in it begins no header of its own', () => {
  const records = exchangeRecords(exchange({ headers: { 'x-a': 'b\r\nx-evil: c' }, body: new Uint8Array(0) }), false)
  expect(Buffer.from(records).toString('latin1')).toContain('x-a: b x-evil: c\r\n')
})

/** As other tools write it. */
const foreign = (block: string, more = ''): Buffer =>
  Buffer.from(
    `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://other.test/>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n${more}` +
      `Content-Type: application/http;msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`,
  )

test('an archive of another tool, with a chunked answer, is read', async () => {
  const block = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'
  const [found] = await responses(foreign(block))
  expect(found).toMatchObject({ url: 'http://other.test/', status: 200 })
  expect(Buffer.from((found as { body: Uint8Array }).body).toString()).toBe('abc0123456789')
})

test('an answer that says chunked and is not is left as it is', async () => {
  const [found] = await responses(foreign('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<h1>plain</h1>'))
  expect(Buffer.from((found as { body: Uint8Array }).body).toString()).toBe('<h1>plain</h1>')
})

test('a record that is too long is told and passed over', async () => {
  const long = foreign(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(5000)}`)
  const found = await responses(Buffer.concat([long, foreign('HTTP/1.1 204 No Content\r\n\r\n')]), 64, isResponse, 1000)
  expect(found).toMatchObject([{ atByte: 0, reason: expect.stringContaining('longer than 1000') }, { status: 204 }])
})

test.each([
  ['no archive', 'hello world'],
  ['a head without an end', `WARC/1.1\r\nWARC-Type: response\r\n${'X: y\r\n'.repeat(20_000)}`],
  ['a length that is none', 'WARC/1.1\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\n'],
])('%s is one broken record', async (_, text) => {
  expect(await responses(Buffer.from(text))).toMatchObject([{ atByte: 0, reason: expect.any(String) }])
})
