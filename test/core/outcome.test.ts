import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorTraits, faultOf, MillraceError, toFault } from '../../src/core/errors.ts'
import { type Outcome, readingOf, verdictOf } from '../../src/core/outcome.ts'

const timing = { connectMs: 1, firstByteMs: 20, totalMs: 30 }
const failed = (code: ErrorCode): Outcome => ({
  kind: 'failed',
  fault: faultOf(code, 'x'),
  status: null,
  timing: null,
  retryAfterMs: null,
})

describe('what a limiter may learn from an outcome', () => {
  test('an answer is good, whatever it says', () => {
    expect(verdictOf({ kind: 'gone', status: 404, timing })).toBe('good')
    expect(verdictOf({ kind: 'moved', status: 301, url: 'http://a.test/', reach: 'public', timing })).toBe('good')
    expect(verdictOf(failed('BODY_TOO_LARGE'))).toBe('good')
    expect(verdictOf(failed('CONTENT_TYPE'))).toBe('good')
  })
  test('being asked to wait is a refusal', () => {
    expect(verdictOf({ kind: 'throttled', status: 429, retryAfterMs: null, timing })).toBe('refused')
  })
  test('silence is a timeout', () => {
    expect(verdictOf(failed('RESPONSE_TIMEOUT'))).toBe('timeout')
    expect(verdictOf(failed('CONNECT_TIMEOUT'))).toBe('timeout')
  })
  test('trouble of the host is an error', () => expect(verdictOf(failed('SERVER_ERROR'))).toBe('error'))
  test('nothing is learnt from our own faults, a stop, or a proxy', () => {
    for (const code of ['ABORTED', 'PROXY_FAILED', 'INVARIANT'] as const)
      expect(verdictOf(failed(code)), code).toBe('ignored')
  })
})

test('a reading carries the first byte and what the host asked for', () => {
  expect(readingOf({ kind: 'throttled', status: 503, retryAfterMs: 5000, timing }, true)).toEqual({
    verdict: 'refused',
    firstByteMs: 20,
    retryAfterMs: 5000,
    stalled: true,
  })
  expect(readingOf(failed('CONNECT_FAILED'), false).firstByteMs).toBeNull()
})

test('a reading says that an answer had no page, and whether it was a block', () => {
  const of = (status: number) => readingOf({ kind: 'gone', status, timing }, false)
  expect(of(404)).toEqual({ verdict: 'good', firstByteMs: 20, retryAfterMs: null, stalled: false, pageless: true })
  expect(of(401)).toEqual(of(404))
  expect(of(403)).toEqual({ ...of(404), blocked: true })
  const throttled = (status: number) => readingOf({ kind: 'throttled', status, retryAfterMs: null, timing }, false)
  expect(throttled(429)).toEqual({ ...throttled(503), blocked: true })
  expect(readingOf(failed('BLOCKED'), false)).toMatchObject({ verdict: 'ignored', blocked: true })
  expect(readingOf(failed('PROXY_FAILED'), false)).not.toHaveProperty('blocked')
})

test('any thrown value becomes a fault, and our own errors keep their code', () => {
  expect(toFault(new MillraceError('SINK_FAILED', 'full'), 'INVARIANT')).toEqual({
    code: 'SINK_FAILED',
    message: 'full',
  })
  expect(toFault('text', 'PARSE_FAILED')).toEqual({ code: 'PARSE_FAILED', message: 'text' })
})

test('every error code says whose fault it is, whether to ask again, and what it means', () => {
  for (const [code, traits] of Object.entries(errorTraits)) {
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(traits.meaning.length, code).toBeGreaterThan(10)
  }
})
