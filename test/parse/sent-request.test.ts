import { expect, test } from 'vitest'
import type { ParseRequest } from '../../src/core/wire.ts'
import { received, sent } from '../../src/parse/sent-request.ts'

const whole: Required<ParseRequest> = {
  body: new Uint8Array([1, 2]),
  contentCoding: 'gzip',
  contentType: 'text/html',
  askedUrl: 'http://a.test/asked',
  finalUrl: 'http://a.test/final',
  page: 'page',
  depth: 3,
  fetchedAt: '2026-11-29T19:20:11.123Z',
  want: 'objects',
  meta: { row: 7 },
  status: 200,
  headers: { server: 'x' },
  timing: { connectMs: 1, firstByteMs: 2, totalMs: 3 },
}

test('all that is known of a page comes to its thread', () => {
  expect(received(structuredClone(sent(whole)))).toEqual(whole)
})

test('what a page does not have does not come either', () => {
  const { status, headers, timing, ...plain } = { ...whole, meta: null }
  expect(received(structuredClone(sent(plain)))).toStrictEqual(plain)
  expect(received(structuredClone(sent({ ...plain, headers })))).toStrictEqual({ ...plain, headers })
})

test('the body crosses as it is, so that it can be moved', () => {
  expect(sent(whole)[0]).toBe(whole.body)
})
