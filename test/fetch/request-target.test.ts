import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestTargetOf } from '../../src/fetch/request-target.ts'

/** The long way, for every URL. */
function expected(text: string) {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const isSecure = url.protocol === 'https:'
  const { origin, hostname, pathname, search } = url
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const path = `${pathname}${search}${/^[^#]*\?(#|$)/.test(url.href) && search === '' ? '?' : ''}`
  return { isSecure, host: hostname.replace(/^\[|\]$/g, ''), port, origin, path }
}

test('a URL is cut into the pieces that parsing it gives, however odd it is', () => {
  const piece = fc.constantFrom(
    ...[
      'http://',
      'https://',
      'HTTP://',
      'ftp://',
      '//',
      '/',
      '.',
      '..',
      '/./',
      '/../',
      '%2e',
      '%2E',
      '%',
      '?',
      '#',
      '@',
    ],
    ...[
      ':',
      ':80',
      ':443',
      ':8080',
      ':0',
      ':065535',
      ':65536',
      ':99999',
      '::',
      '[::1]',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
    ],
    ...[
      '1.2.3.4',
      '256.1.1.1',
      '01.2.3.4',
      'a.test',
      'A.test',
      'localhost',
      'xn--bcher-kva.test',
      'xn--',
      'bücher.test',
    ],
    ...[
      'a-',
      '-a',
      'a_b',
      'a..b',
      'a.',
      'x',
      'é',
      ' ',
      '\t',
      '\n',
      '\\',
      '"',
      '<',
      '>',
      '^',
      '`',
      '{',
      '|',
      '}',
      "'",
      '&',
      '=',
      '~',
    ],
  )
  const odd = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''))
  const nearlyGood = fc
    .tuple(fc.constantFrom('http://', 'https://'), fc.array(piece, { maxLength: 7 }))
    .map(([scheme, pieces]) => scheme + pieces.join(''))
  fc.assert(
    fc.property(fc.oneof(odd, nearlyGood, fc.webUrl({ withQueryParameters: true, withFragments: true })), text => {
      const target = requestTargetOf(text)
      const pieces = expected(text)
      if (pieces === null) expect(target).toBeNull()
      else expect(target).toMatchObject(pieces)
    }),
    { numRuns: 20_000 },
  )
})

test('the credentials of a URL become a header', () => {
  const target = requestTargetOf('http://us%40er:p%C3%A4ss@a.test/x')
  expect(target).toMatchObject({ origin: 'http://a.test', path: '/x' })
  expect(Buffer.from(target?.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe('us@er:päss')
  expect(requestTargetOf('http://user%zz@a.test/')?.authorization).toBe(
    `Basic ${Buffer.from('user%zz:').toString('base64')}`,
  )
})
