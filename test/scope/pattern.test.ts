import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPattern, compilePattern } from '../../src/scope/pattern.ts'

const fits = (pattern: string, url: string): boolean => compilePattern(pattern, 'match')(new URL(url))

describe('a pattern', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['/about', 'https://a.test/about', true],
    ['/about', 'https://a.test/about?from=home', true],
    ['/about', 'https://a.test/about/', false],
    ['/catalogue/page-*', 'https://a.test/catalogue/page-3.html', true],
    ['/catalogue/page-*', 'https://a.test/catalogue/pages', false],
    ['/catalogue/:slug/index.html', 'https://b.test:8080/catalogue/a-book_1/index.html', true],
    ['/catalogue/:slug/index.html', 'https://b.test/catalogue/a/b/index.html', false],
    ['/catalogue/:slug/index.html', 'https://b.test/catalogue//index.html', false],
    ['*/page-*', 'https://a.test/shop/page-2', true],
    ['*.html', 'https://a.test/shop/page-2.html', true],
    ['*.html', 'https://a.test/shop/page-2xhtml', false],
    ['*', 'https://a.test/', true],
    ['/search?q=*', 'https://a.test/search?q=x', true],
    ['/search?q=*', 'https://a.test/search', false],
    ['/:lang?/help', 'https://a.test/help', true],
    ['/:lang?/help', 'https://a.test/en/help', true],
    ['/list{/page}?', 'https://a.test/list', true],
    ['/list/*?page=:n', 'https://a.test/list/x?page=2', true],
    ['/list/*?page=:n', 'https://a.test/list/x', false],
    ['/list/*?', 'https://a.test/list/x?y', true],
    ['/*?sort=*', 'https://a.test/list?sort=price', true],
    ['/*?sort=*', 'https://a.test/list', false],
    ['https://a.test/*?sort=*', 'https://a.test/list?sort=price', true],
    ['https://a.test/*?sort=*', 'https://a.test/list', false],
    ['/item/(\\d+)', 'https://a.test/item/17', true],
    ['/item/(\\d+)', 'https://a.test/item/x', false],
    ['/item/(\\d+)?v=*', 'https://a.test/item/17', false],
    ['/item/(a(?:b|(?:c)?)?)?v=1', 'https://a.test/item/ac?v=1', false],
    ['/item/(a(?:b|(?:c)?)?)??v=1', 'https://a.test/item/ac?v=1', true],
    ['/item/{:n}?/x?v=1', 'https://a.test/item/7/x?v=1', true],
    ['/c\\+\\+', 'https://a.test/c++', true],
    ['/café/*', 'https://a.test/caf%C3%A9/menu', true],
    ['https://*.books.test/*', 'https://www.books.test/a?b', true],
    ['https://*.books.test/*', 'http://www.books.test/a', false],
    ['http{s}?://books.test', 'http://books.test/any/path?x=1', true],
    ['*://books.test/*', 'http://books.test/x', true],
    ['*://books.test/*', 'http://books.test:8080/x', false],
    ['http://localhost:*/a', 'http://localhost:8080/a', true],
  ]
  test.each(cases)('%s on %s: %s', (pattern, url, expected) => {
    expect(fits(pattern, url)).toBe(expected)
  })

  test.each(['/a(', '/:a/:a', 'catalogue/*', 'books.test/*', 'books.test:80/a', 'https://[', '/a+b', ''])(
    'that is malformed (%s) is refused with its place and an example',
    text => {
      expect(() => checkPattern(text, 'pages[1].match')).toThrowError(
        expect.objectContaining({
          code: 'CONFIG_INVALID',
          message: expect.stringMatching(/^pages\[1\]\.match: .*\/products/),
        }),
      )
      expect(() => compilePattern(text, 'pages[1].match')).toThrowError(/not a URL pattern/)
    },
  )

  test('read the fast way answers as the standard does', () => {
    const piece = fc.constantFrom(
      '/',
      'a',
      'b',
      'page-',
      '*',
      ':x',
      ':y',
      '.',
      '-',
      '~',
      "'",
      '$',
      '&',
      '..',
      'a.b',
      ':',
    )
    const paths = fc.array(fc.constantFrom('/', 'a', 'b', 'page-', '.', '-', '~', 'x', '$', '&', 'a.b', '1'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), paths, (pieces, parts) => {
        const text = `/${pieces.join('')}`
        const url = new URL(`https://a.test/${parts.join('')}`)
        let standard: URLPattern
        try {
          standard = new URLPattern({ pathname: text })
        } catch {
          expect(() => compilePattern(text, 'match')).toThrowError(/not a URL pattern/)
          return
        }
        expect(compilePattern(text, 'match')(url)).toBe(standard.test(url.href))
      }),
      { numRuns: 3000 },
    )
  })
})

const answersAsTheStandardDoes = (standard: URLPattern | null, text: string, url: URL): void => {
  if (standard === null) expect(() => compilePattern(text, 'match')).toThrowError(/not a URL pattern/)
  else expect([text, url.href, compilePattern(text, 'match')(url)]).toEqual([text, url.href, standard.test(url.href)])
}

const standardOf = (init: string | URLPatternInit): URLPattern | null => {
  try {
    return new URLPattern(init)
  } catch {
    return null
  }
}

test('with groups, names, braces and modifiers answers as the standard does', () => {
  const matcher = fc.constantFrom('*', ':x', ':y', ':x(\\d+)', '(a|b1)', '([^/]+)', '(\\w{2})', '(a(?:b|-)?)')
  const modifier = fc.constantFrom('', '', '?', '*', '+')
  const text = fc.constantFrom('/', 'a', 'b', '-', '1', 'é', '.', '\\+', '\\:', '~')
  const brace = fc
    .tuple(fc.constantFrom('', '/', 'a', '-'), fc.oneof(matcher, text), fc.constantFrom('', 'b', '/'))
    .map(parts => `{${parts.join('')}}`)
  // `*?` is no modifier here: it begins a query.
  const marked = fc.tuple(fc.oneof(matcher, brace), modifier).map(parts => parts.join('').replace(/^\*\?$/, '*'))
  const piece = fc.oneof(text, marked)
  const path = fc.array(fc.constantFrom('/', 'a', 'b', 'ab', '-', '1', '.', 'b1', 'é', '+', ':'), { maxLength: 7 })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), path, (pieces, parts) => {
      const pathname = `/${pieces.join('')}`
      answersAsTheStandardDoes(standardOf({ pathname }), pathname, new URL(`https://a.test/${parts.join('')}`))
    }),
    { numRuns: 1_500 },
  )
})

test('over the whole URL answers as the standard does', () => {
  const pattern = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'http{s}?://', '*://', ':scheme://'),
      fc.constantFrom('a.test', '*.a.test', ':sub.a.test', '{:sub.}?a.test', '(www|m).a.test', 'a.*', '*'),
      fc.constantFrom('', '', ':8080', ':*', ':(\\d{4})'),
      fc.constantFrom('', '/*', '/a', '/:x?', '/*-*-*', '/x\\?q=*', '/*\\?q=:q', '/(a|x)\\?*'),
    )
    .map(parts => parts.join(''))
  const url = fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.constantFrom('a.test', 'www.a.test', 'm.a.test', 'x.y.a.test', 'a.com'),
      fc.constantFrom('', ':8080', ':81'),
      fc.constantFrom('/', '/a', '/x?q=1', '/a-b-c', '/x', '/a?z'),
    )
    .map(([scheme, host, port, path]) => new URL(`${scheme}://${host}${port}${path}`))
  fc.assert(
    fc.property(pattern, url, (text, page) => {
      answersAsTheStandardDoes(standardOf(text), text, page)
    }),
    { numRuns: 1_500 },
  )
})

test('a modifier after a name of several letters is seen', () => {
  const fits = compilePattern('/docs/:path*', 'match')
  expect(fits(new URL('https://a.test/docs'))).toBe(true)
  expect(fits(new URL('https://a.test/docs/a/b'))).toBe(true)
  expect(fits(new URL('https://a.test/doc'))).toBe(false)
})

test('a path of thousands of dashes does not hold a pattern with several stars', () => {
  const fits = compilePattern('/shop/*-*-*-*.html', 'match')
  expect(fits(new URL(`https://a.test/shop/${'-'.repeat(5_000)}`))).toBe(false)
  expect(fits(new URL(`https://a.test/shop/${'-'.repeat(5_000)}.html`))).toBe(true)
  expect(fits(new URL('https://a.test/shop/a-b-c.html'))).toBe(false)
})

describe('a group that takes for ever as JavaScript runs it', () => {
  const path = `/${'a'.repeat(50_000)}-`
  test.each([
    '/((?:a+)+)',
    '/((?:.*a){25})',
    '/((?:a+a+)+y)',
    '/(\\w+\\d*)*-(x)',
    'https://a.test/*a*a*a*a*a*a*b',
    '/x?((?:q+)+)',
  ])('does not hold a thread: %s', pattern => {
    const fits = compilePattern(pattern, 'match')
    const startMs = performance.now()
    expect(fits(new URL(`https://a.test${path}`))).toBe(false)
    expect(fits(new URL(`https://a.test/x?${'q'.repeat(50_000)}!`))).toBe(false)
    expect(performance.now() - startMs).toBeLessThan(500)
  })

  test.each(['/((?!admin).*)', '/(a(?=b)b)', '/(\\d{5000})', '/((?:a{900}){900})'])(
    'is refused where it cannot be matched in linear time: %s',
    text => {
      expect(() => checkPattern(text, 'scope.include[0]')).toThrowError(
        expect.objectContaining({
          code: 'CONFIG_INVALID',
          message: expect.stringMatching(/^scope\.include\[0\]: .*could take for ever.*scope\.exclude/),
        }),
      )
    },
  )
})
