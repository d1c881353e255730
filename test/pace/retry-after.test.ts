import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestRetryAfterMs, retryAfterMs } from '../../src/pace/retry-after.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 7)
const read = (value: string | null, wallNowMs = now): number | null => retryAfterMs(value, wallNowMs)

describe('Retry-After in seconds', () => {
  test('is that many seconds', () => expect(read('120')).toBe(120_000))
  test('of zero is no wait, which is not the same as no header', () => expect(read('0')).toBe(0))
  test('may have white space around it', () => expect(read(' 5 ')).toBe(5_000))
  test('may have a fraction, as careless servers send it', () => expect(read('1.5')).toBe(1_500))
})

describe('Retry-After as a date', () => {
  test('in the form of today', () => expect(read('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(30_000))
  test('in the form of RFC 850', () => expect(read('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(30_000))
  test('in the form of asctime', () => expect(read('Sun Nov  6 08:49:37 1994')).toBe(30_000))
  test('in lower case and with a day of one digit', () => expect(read('sun, 6 nov 1994 08:49:37 gmt')).toBe(30_000))
  test('with a leap second', () =>
    expect(read('Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2016, 11, 31, 23, 59, 59))).toBe(1_000))
  test('in the past is no wait', () => expect(read('Sun, 06 Nov 1994 08:00:00 GMT')).toBe(0))
  test('with a year of two digits is never more than 50 years ahead', () => {
    const in2026 = Date.UTC(2026, 0, 1)
    expect(read('Sunday, 06-Nov-94 08:49:37 GMT', in2026)).toBe(0)
    expect(read('Friday, 02-Jan-26 00:00:00 GMT', in2026)).toBe(24 * 3_600_000)
  })
  test.each(['Sun, 31 Feb 1995 08:49:37 GMT', 'Sun, 06 Nov 1994 25:49:37 GMT', 'Sun, 06 Foo 1994 08:49:37 GMT'])(
    'that does not exist says nothing: %s',
    text => expect(read(text)).toBeNull(),
  )
})

describe('Retry-After as a date, beside the Date of the same answer', () => {
  const hourMs = 3_600_000
  const asked = (date: string, wallNowMs: number, age = '') =>
    retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', wallNowMs, { date, age })
  test.each([-24 * hourMs, -hourMs, 0, hourMs, 24 * hourMs])(
    'is the time between the two, our clock off by %i ms',
    byMs => expect(asked('Sun, 06 Nov 1994 08:49:07 GMT', now + byMs)).toBe(30_000),
  )
  test('before it is no wait', () => expect(asked('Sun, 06 Nov 1994 09:00:00 GMT', now - hourMs)).toBe(0))
  test.each(['', 'today', 'Sun, 06 Nov 1994 08:49:07 GMT, Sun, 06 Nov 1994 08:49:07 GMT'])(
    'that says nothing is read by our own clock: "%s"',
    date => expect(asked(date, now)).toBe(30_000),
  )
  test.each([
    ['600', 30_000],
    ['', 630_000],
    ['soon', 630_000],
    ['-5', 630_000],
    ['9'.repeat(400), 0],
  ])('is less by the time for which a cache kept the answer, Age: "%s"', (age, waitMs) =>
    expect(asked('Sun, 06 Nov 1994 08:39:07 GMT', now, age)).toBe(waitMs),
  )
  test('in seconds needs no clock', () =>
    expect(retryAfterMs('30', now, { date: 'Sun, 06 Nov 1994 07:00:00 GMT' })).toBe(30_000))
})

describe('Retry-After that cannot be meant', () => {
  test('no header says nothing', () => expect(read(null)).toBeNull())
  test.each(['', 'soon', '-5', '1e9', '0x10', 'Infinity', 'NaN', '5 seconds', '10:00', ',', 'Sun,', 'Sun, Sun'])(
    'garbage says nothing: "%s"',
    text => expect(read(text)).toBeNull(),
  )
  test.each(['86401', '99999999999999999999999', `9${'9'.repeat(400)}`, 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'a huge wait is a day: %s',
    text => expect(read(text)).toBe(longestRetryAfterMs),
  )
  test('whatever comes is null or between nothing and a day', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ 0-9A-Za-z,:.-]{0,40}$/)), text => {
        const wait = read(text)
        if (wait !== null) expect(wait >= 0 && wait <= longestRetryAfterMs).toBe(true)
      }),
    )
  })
})

describe('Retry-After more than once', () => {
  test('means the longest wait', () => expect(read('5, 10')).toBe(10_000))
  test('whatever its order and forms', () =>
    expect(read('120, Sun, 06 Nov 1994 08:49:37 GMT, 10, Sunday, 06-Nov-94 08:50:07 GMT')).toBe(120_000))
  test('with garbage beside an answer means the answer', () => expect(read('soon, 7')).toBe(7_000))
})
