import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Attempt,
  attemptRecords,
  headersOfAttempt,
  isOutcomeRecord,
  outcomeOfRecord,
  taskOfRecord,
  timingOfRecord,
} from '../../src/warc/attempt.ts'
import { readWarc, type WarcRecord } from '../../src/warc/read.ts'
import { isResponse, responseOf } from '../../src/warc/response.ts'

const timing = { connectMs: 12, firstByteMs: 80.5, totalMs: 120 }
const task = { askedUrl: 'https://shop.test/a', page: 'product', depth: 2, session: null, meta: null }
const about = { url: 'https://shop.test/b', at: '2030-01-01T00:00:00.123Z', task, tookMs: 130 }
const page = (headers: Record<string, string> = {}): Attempt => ({
  ...about,
  ended: { kind: 'page', status: 200, headers: { 'content-type': 'text/html', ...headers }, timing },
})

async function recordsOf(attempt: Attempt, body = ''): Promise<WarcRecord[]> {
  const bytes = attemptRecords(attempt, Buffer.from(body), 'tests/1.0')
  const records: WarcRecord[] = []
  for await (const record of readWarc(Readable.from([bytes]), () => true, 1e6))
    if ('reason' in record) throw new Error(record.reason)
    else records.push(record)
  return records
}

test('a page is an exchange that every reader of archives knows, with its task and its times beside it', async () => {
  const [response, request, ...more] = await recordsOf(page(), '<p>hello')
  expect(more).toEqual([])
  expect(request?.fields['warc-type']).toBe('request')
  if (response === undefined || !isResponse(response.fields)) throw new Error('no response')
  expect(responseOf(response)).toMatchObject({ url: about.url, at: about.at, status: 200 })
  expect(Buffer.from(responseOf(response)?.body ?? []).toString()).toBe('<p>hello')
  expect(taskOfRecord(response.fields)).toEqual(task)
  expect(timingOfRecord(response.fields)).toEqual(timing)
})

test('the task of an attempt comes back whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        page: fc.string({ unit: 'binary' }).filter(name => !/[\ud800-\udfff]/.test(name)),
        depth: fc.nat(),
        session: fc.option(fc.string({ unit: 'grapheme' })),
        meta: fc.option(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.string(), fc.boolean(), fc.nat()))),
      }),
      async said => {
        const [record] = await recordsOf({ ...page(), task: { ...task, ...said } })
        expect(taskOfRecord(record?.fields ?? {})).toEqual(JSON.parse(JSON.stringify({ ...task, ...said })))
      },
    ),
    { numRuns: 100 },
  )
})

const others: readonly Attempt['ended'][] = [
  { kind: 'gone', status: 404, timing },
  { kind: 'throttled', status: 429, retryAfterMs: 1_500, timing },
  { kind: 'moved', status: 301, url: 'https://shop.test/c', reach: 'public', timing },
  {
    kind: 'failed',
    fault: { code: 'CONNECT_TIMEOUT', message: 'no connection — ünïcode' },
    ...{ status: null, timing: null, retryAfterMs: null },
  },
]

test.each(others)('an attempt that brought no page ($kind) is metadata, and no answer of a server', async ended => {
  const [record, ...more] = await recordsOf({ ...about, ended })
  expect(more).toEqual([])
  if (record === undefined) throw new Error('no record')
  expect(isResponse(record.fields)).toBe(false)
  expect(isOutcomeRecord(record.fields)).toBe(true)
  expect(outcomeOfRecord(record.block)).toEqual({ tookMs: 130, ended })
  expect(taskOfRecord(record.fields)).toEqual(task)
})

test('no secret is in a recording: credentials of URLs, cookies', () => {
  const url = 'https://user:secret@shop.test/'
  const withCookie = { ...page({ 'set-cookie': 'id=secret' }), url, task: { ...task, askedUrl: url } }
  const moved: Attempt = { ...about, url, ended: { kind: 'moved', status: 302, url, reach: 'any', timing } }
  for (const attempt of [withCookie, moved])
    expect(gunzipSync(attemptRecords(attempt, Buffer.from(''), 'tests/1.0')).toString()).not.toContain('secret')
})

test('headers are read as they came, however the body was framed', async () => {
  for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '5' }]) {
    const [record] = await recordsOf(page(headers), 'hello')
    const response = record === undefined ? null : responseOf(record)
    expect(headersOfAttempt(response?.headers ?? {})).toEqual({ 'content-type': 'text/html', ...headers })
  }
})

test.each(['', 'nonsense', '{"outcome":{"kind":"page"}}', '[]', '{"outcome":null}'])('%j is no outcome', text => {
  expect(outcomeOfRecord(Buffer.from(text))).toBeNull()
})

test.each(['', '1 2', '1 2 3 4', 'a b c', '-1 2 3'])('%j are no times', text => {
  expect(timingOfRecord({ 'millrace-timing': text })).toBeNull()
})
