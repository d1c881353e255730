import { describe, expect, test } from 'vitest'
import { verdictOf } from '../../src/core/outcome.ts'
import { type Circumstances, classify } from '../../src/fetch/classify.ts'
import type { Broken, Ending, Stage } from '../../src/fetch/ending.ts'
import { messageOf, taskFor, timeouts, wordsOf } from './kit.ts'

const timing = { connectMs: 1, firstByteMs: 2, totalMs: 3 }
const about = (url: string): Circumstances => ({
  task: taskFor(url),
  timeouts,
  bodyBytes: 1_000,
  wallNowMs: () => Date.parse('2026-01-01T00:00:00Z'),
})
const at = 'http://a.test/dir/page?q=1'

const answered = (status: number, headers: Record<string, string> = {}): Ending => ({
  kind: 'answered',
  head: { status, headers, setCookies: [] },
  body: new Uint8Array(0),
  from: 'public',
  timing,
})

describe('a status', () => {
  for (const [status, words, verdict] of [
    [200, 'page 200 ""', 'good'],
    [206, 'page 206 ""', 'good'],
    [300, 'failed HTTP_STATUS', 'good'],
    [304, 'failed HTTP_STATUS', 'good'],
    [305, 'failed HTTP_STATUS', 'good'],
    [401, 'gone 401', 'good'],
    [404, 'gone 404', 'good'],
    [410, 'gone 410', 'good'],
    [429, 'throttled 429', 'refused'],
    [500, 'failed SERVER_ERROR', 'error'],
    [503, 'throttled 503', 'refused'],
    [520, 'failed SERVER_ERROR', 'error'],
    [999, 'gone 999', 'good'],
  ] as const)
    test(`${status} is: ${words}`, () => {
      const outcome = classify(answered(status), about(at))
      expect(wordsOf(outcome)).toBe(words)
      expect(verdictOf(outcome)).toBe(verdict)
    })

  test.each([
    ['bytes 0-4/10', false, 'failed RESPONSE_TRUNCATED'],
    ['bytes 5-9/10', false, 'failed RESPONSE_TRUNCATED'],
    ['bytes 0-4/10', true, 'page 206 ""'],
    ['bytes 0-9/10', false, 'page 206 ""'],
    ['bytes 0-9/*', false, 'page 206 ""'],
  ])('206 with %s, asked for: %s, is: %s', (range, isPartAsked, words) => {
    const outcome = classify(answered(206, { 'content-range': range }), { ...about(at), isPartAsked })
    expect(wordsOf(outcome)).toBe(words)
  })

  test('a wait is read from seconds and from a date, of throttling and of server errors', () => {
    const wait = (status: number, value: string) => classify(answered(status, { 'retry-after': value }), about(at))
    expect(wait(429, '7')).toMatchObject({ retryAfterMs: 7_000 })
    expect(wait(503, 'Thu, 01 Jan 2026 00:01:00 GMT')).toMatchObject({ retryAfterMs: 60_000 })
    expect(wait(500, '2')).toMatchObject({ retryAfterMs: 2_000 })
    expect(wait(429, 'soon')).toMatchObject({ retryAfterMs: null })
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 05:01:00 GMT', date: 'Thu, 01 Jan 2026 05:00:00 GMT' }
    expect(classify(answered(503, headers), about(at))).toMatchObject({ retryAfterMs: 60_000 })
    expect(classify(answered(503, { ...headers, age: '45' }), about(at))).toMatchObject({ retryAfterMs: 15_000 })
  })
})

describe('a redirect', () => {
  const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
  for (const [name, location, url] of [
    ['absolute', 'https://b.test/x', 'https://b.test/x'],
    ['relative', 'other', 'http://a.test/dir/other'],
    ['from the root', '/x?y=1', 'http://a.test/x?y=1'],
    ['a query alone', '?z=2', 'http://a.test/dir/page?z=2'],
    ['protocol-relative', '//b.test/x', 'http://b.test/x'],
    ['with a fragment, which is not sent', '/x#top', 'http://a.test/x'],
    ['with raw UTF-8', utf8('/café/日本'), 'http://a.test/caf%C3%A9/%E6%97%A5%E6%9C%AC'],
    ['with UTF-8 in the host', utf8('http://bücher.test/'), 'http://xn--bcher-kva.test/'],
    ['with bytes that are no UTF-8, which go back as they came', '/caf\xe9', 'http://a.test/caf%E9'],
    ['with escapes, which are not escaped again', '/caf%C3%A9', 'http://a.test/caf%C3%A9'],
    ['with spaces', ' /a b c ', 'http://a.test/a%20b%20c'],
    ['with a tab and a backslash', '/a\tb\\c', 'http://a.test/ab/c'],
  ] as const)
    test(`leads on: ${name}`, () => {
      expect(wordsOf(classify(answered(302, { location }), about(at)))).toBe(`moved 302 ${url}`)
    })

  for (const status of [301, 302, 303, 307, 308])
    test(`${status} without a Location is invalid`, () => {
      expect(wordsOf(classify(answered(status), about(at)))).toBe('failed REDIRECT_INVALID')
      expect(wordsOf(classify(answered(status, { location: ' ' }), about(at)))).toBe('failed REDIRECT_INVALID')
    })

  for (const location of [
    'file:///etc/hostname',
    'data:text/html,x',
    'javascript:1',
    'ftp://u:secret@b.test/',
    'http://[bad',
  ])
    test(`to ${location} is not followed`, () => {
      const outcome = classify(answered(302, { location }), about(at))
      expect(wordsOf(outcome)).toBe('failed REDIRECT_INVALID')
      expect(messageOf(outcome)).not.toContain('secret')
    })
})

describe('an error', () => {
  const broken = (stage: Stage, error: Error, over: Partial<Broken> = {}): Broken => ({
    kind: 'broken',
    stage,
    error,
    isEnded: false,
    progress: { head: null, bodyBytes: 0, timing: null },
    ...over,
  })
  const coded = (code: string, message = 'boom'): Error => Object.assign(new Error(message), { code })
  const inBody = { progress: { head: { status: 200, headers: {}, setCookies: [] }, bodyBytes: 5, timing } }

  for (const [name, ending, code] of [
    ['an unknown name', broken('lookup', coded('ENOTFOUND')), 'DNS_FAILED'],
    ['a resolver that fails', broken('lookup', coded('EAI_AGAIN')), 'DNS_FAILED'],
    ['a refusal', broken('connect', coded('ECONNREFUSED')), 'CONNECT_FAILED'],
    ['no route', broken('connect', coded('EHOSTUNREACH')), 'CONNECT_FAILED'],
    ['the system’s own timeout', broken('connect', coded('ETIMEDOUT')), 'CONNECT_TIMEOUT'],
    ['a certificate', broken('handshake', coded('CERT_HAS_EXPIRED')), 'TLS_FAILED'],
    ['a reset in the handshake', broken('handshake', coded('ECONNRESET')), 'CONNECT_FAILED'],
    ['a loss before any byte', broken('answer', coded('UND_ERR_SOCKET'), { isEnded: true }), 'CONNECT_FAILED'],
    ['a reset before any byte', broken('answer', coded('ECONNRESET')), 'CONNECT_FAILED'],
    ['a reset in the body', broken('answer', coded('ECONNRESET'), inBody), 'RESPONSE_TRUNCATED'],
    ['the net below our clocks', broken('answer', coded('UND_ERR_BODY_TIMEOUT'), inBody), 'RESPONSE_TIMEOUT'],
    ['a flood of headers', broken('answer', coded('UND_ERR_HEADERS_OVERFLOW')), 'RESPONSE_INVALID'],
  ] as const)
    test(`${name} is ${code}`, () => {
      expect(wordsOf(classify(ending, about(at)))).toBe(`failed ${code}`)
    })

  test('is told with its URL, without credentials, line breaks and escapes', () => {
    const error = coded('ECONNREFUSED', 'bad\r\n\x1b[31m\u202ename')
    const message = messageOf(classify(broken('connect', error), about('http://user:secret@a.test/x')))
    expect(message).toBe('http://a.test/x: bad??????[31m?name (ECONNREFUSED)'.replace('??????', '???'))
  })

  test('of several addresses names each', () => {
    const error = new AggregateError([
      new Error('connect ECONNREFUSED ::1:9'),
      new Error('connect ECONNREFUSED 127.0.0.1:9'),
    ])
    expect(messageOf(classify(broken('connect', error), about(at)))).toContain(
      '::1:9, connect ECONNREFUSED 127.0.0.1:9',
    )
  })
})
