import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRobots, pathOf } from '../../src/robots/rules.ts'

const allows = (robots: string, url: string, agent = 'ExampleBot'): boolean =>
  parseRobots(robots, agent).allows(new URL(url.startsWith('/') ? `https://a.test${url}` : url))

describe('a rule', () => {
  const cases: readonly (readonly [robots: string, url: string, allowed: boolean])[] = [
    ['User-agent: *\rDisallow: /x\r', '/x', false],
    ['User-agent: *\nDisallow: /a%3cd', '/a%3Cd', false],
    ['User-agent: *\nDisallow: /caf%C3%A9', '/café', false],
    ['User-agent: *\nDisallow: /café', '/caf%c3%a9', false],
    ['User-agent: *\nDisallow: /x', 'https://a.test:443/x', false],
    ['User-agent: *\nDisallow: /~joe', '/%7ejoe/', false],
    ['User-agent: *\nDisallow: /%62%61%7A', '/baz', false],
    ['User-agent: *\nDisallow: /a%2fb', '/a/b', true],
    ['User-agent: *\nDisallow: /a b', '/a%20b', false],
    ['User-agent: *\nDisallow: /{x}', '/%7Bx%7D', false],
    ['User-agent: *\nDisallow: /a%2Ab', '/a*b', false],
    ['User-agent: *\nDisallow: /a%2Ab', '/axb', true],
    ['User-agent: *\nDisallow: /a%24', '/a$', false],
    ['User-agent: *\nDisallow: /a$b', '/a$b', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /*?*sid=', '/x?a=1&sid=2', false],
    ['User-agent: *\nDisallow: /*/b*/d$', '/a/b/c/d', false],
    ['User-agent: *\nDisallow: /*/b*/d$', '/a/b/c/d/', true],
    ['User-agent: *\nDisallow: /*ab*ab$', '/ab', true],
    ['User-agent: *\nDisallow: *', '/x', false],
    ['User-agent: *\nDisallow: x', '/x', true],
    ['User-agent: *\nDisallow:', '/x', true],
    ['User-agent: *\nDisallow: /x # private', '/x', false],
    ['User-agent: *\nDisallow: /\nAllow: /\n', '/x', true],
    ['Disallow: /\nUser-agent: *\nDisallow: /x', '/y', true],
    ['<html><body>User-agent: none</body></html>', '/x', true],
    ['User-agent: *\nDissalow: /x', '/x', false],
    ['Useragent: *\nDisallow: /x', '/x', false],
    ['User-agent: *\nDisallow: /\uD800', '/x', true],
    ['User-agent: *\nDisallow: /50%', '/50%', false],
  ]
  test.each(cases)('%j on %s: allowed %s', (robots, url, allowed) => {
    expect(allows(robots, url)).toBe(allowed)
  })
})

describe('the group of an agent', () => {
  const robots = 'User-agent: *\nDisallow: /all\n\nUser-agent: ExampleBot/2.0\nUser-agent: other\nDisallow: /own\n'

  test('is found without regard to case or version, and hides the group of *', () => {
    expect(allows(robots, '/own', 'EXAMPLEbot')).toBe(false)
    expect(allows(robots, '/all', 'ExampleBot')).toBe(true)
    expect(allows(robots, '/all', 'Example')).toBe(false)
  })

  test('is that of * for an agent without a name', () => {
    expect(parseRobots(robots, null).allows(new URL('https://a.test/all'))).toBe(false)
    expect(parseRobots(robots, null).allows(new URL('https://a.test/own'))).toBe(true)
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'of an agent called %s is its own or that of *',
    agent => {
      expect(allows('User-agent: *\nDisallow: /x', '/x', agent)).toBe(false)
      expect(allows(`User-agent: ${agent}\nDisallow: /y`, '/y', agent)).toBe(false)
    },
  )

  test('without rules allows everything', () => {
    expect(allows('User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\n', '/x')).toBe(true)
  })
})

describe('a Crawl-delay', () => {
  test.each([
    ['2', 2_000],
    ['0.5', 500],
    ['0', 0],
    ['-1', null],
    ['1e9', null],
    ['ten', null],
    ['', null],
  ])('of %j is %s milliseconds', (value, delayMs) => {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}`, 'x').crawlDelayMs).toBe(delayMs)
  })

  test('of * is not that of an agent with a group of its own', () => {
    expect(
      parseRobots('User-agent: *\nCrawl-delay: 5\nDisallow: /x\nUser-agent: ExampleBot\nDisallow: /', 'ExampleBot')
        .crawlDelayMs,
    ).toBeNull()
  })
})

test('of the rules that fit the longest decides, and of equals the one that allows', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 9 }).map(text => `/${text}`)
  const rule = fc.record({ pattern, end: fc.constantFrom('', '$'), isAllowed: fc.boolean() })
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 }).map(text => `/${text}`)
  const fitting = ({ pattern, end }: { pattern: string; end: string }): RegExp =>
    new RegExp(`^${pattern.replaceAll('*', '.*')}${end}`)
  fc.assert(
    // Above a number of rules they are found in another way; those for elsewhere change nothing.
    fc.property(fc.array(rule, { maxLength: 30 }), path, fc.constantFrom(0, 100), (rules, asked, more) => {
      const elsewhere = Array.from({ length: more }, (_, nth) => `Disallow: /else${nth}`)
      const lines = rules.map(({ pattern, end, isAllowed }) => `${isAllowed ? 'Allow' : 'Disallow'}: ${pattern}${end}`)
      const fit = rules.filter(one => fitting(one).test(asked))
      const longest = Math.max(...fit.map(({ pattern, end }) => pattern.length + end.length))
      const deciding = fit.filter(({ pattern, end }) => pattern.length + end.length === longest)
      const isAllowed = deciding.length === 0 || deciding.some(one => one.isAllowed)
      expect(allows(['User-agent: *', ...elsewhere, ...lines].join('\n'), `https://a.test${asked}`)).toBe(isAllowed)
    }),
  )
})

test('the spelling of a path does not change by being read twice', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
      const url = new URL(`https://a.test${path}?${query}`)
      expect(pathOf(new URL(`https://a.test${pathOf(url)}`))).toBe(pathOf(url))
    }),
  )
})

test('no file makes the reader throw', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(
        fc.constantFrom('User-agent', 'Allow', 'Disallow', 'Crawl-delay', 'Sitemap'),
        fc.string({ unit: 'binary' }),
      )
      .map(pair => pair.join(': ')),
  )
  fc.assert(
    fc.property(fc.array(line), fc.webPath(), (lines, path) => {
      expect(typeof allows(lines.join('\n'), `/${path}`, '*')).toBe('boolean')
    }),
  )
})

test('a file made to be slow is not', () => {
  const robots = `User-agent: *\nDisallow: /${'*a'.repeat(2_000)}*b$`
  expect(allows(robots, `/${'a'.repeat(20_000)}`)).toBe(true)
  const blank = ' '.repeat(500_000)
  expect(allows(`User-agent: *\nDisallow: /x${blank}y\na${blank}b${blank}\n`, '/x')).toBe(true)
}, 2_000)
