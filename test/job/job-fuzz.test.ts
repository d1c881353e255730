import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { checkJob } from '../../src/job/check-job.ts'

const whole = {
  name: 'books',
  preset: 'general',
  seeds: ['https://books.test/', { url: 'https://books.test/x', page: 'list' }, { from: 'urls.txt' }],
  scope: { within: 'any', include: ['/catalogue/*'], exclude: ['*.pdf'], maxDepth: 5 },
  pages: [
    { name: 'list', match: '/page-*', follow: ['li.next a'] },
    {
      name: 'product',
      item: { title: 'h1', price: { selector: '.p', type: 'number' }, all: [{ selector: 'img', value: 'src' }] },
    },
  ],
  limits: {
    perHost: { policy: 'aimd', start: 2, max: 16 },
    rate: { perMinute: 600, burst: 5 },
    delayMs: [500, 1500],
    bodyBytes: '10MB',
  },
  timeouts: { connectMs: 5000, parseMs: 5000 },
  retries: { url: 3 },
  robots: { ignoreFor: ['books.test'] },
  hosts: { 'books.test': { max: 32, reason: 'agreed', rate: 'none', headers: { 'x-a': '1' } } },
  headers: { accept: 'text/html' },
  proxies: {
    list: ['http://u:p@one.test:1', { url: 'two.test:2', region: 'de', weight: 2 }, { env: 'PROXIES' }],
    connection: 'sticky',
    geo: { list: 'de' },
    blockSigns: [
      { selector: '#captcha', of: 'proxy' },
      { pattern: 'denied', name: 'no' },
    ],
    session: { maxUses: 5 },
  },
  userAgent: 'ExampleBot/1.0',
  output: { format: 'jsonl' },
}

type Path = readonly (string | number)[]

const pathsOf = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** Keys are defined, so that `__proto__` becomes a key as it does in JSON. */
function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

function mutate(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<PropertyKey, unknown>
  define(copy, key, mutate(copy[key], rest, change))
  return copy
}

const strangeKey = fc.constantFrom('__proto__', 'constructor', 'prototype', '', 'a.b', '0', 'lmits', '\n')
const strangeValue = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    '',
    ' ',
    '\0',
    'x'.repeat(10_000),
  ),
  fc.constantFrom([], {}, [[]], [null], () => {}, Symbol('s'), 10n, new Date(0), new Map(), /x/),
  fc.constantFrom(
    'https://a.test/',
    'file:///etc/passwd',
    'same-host',
    '/a(',
    '(a+)+$',
    ':is(',
    'a b',
    '\r\n',
    '\uD800',
  ),
  fc.anything({ maxDepth: 2 }),
  strangeKey.map(key => {
    const map = {}
    define(map, key, { polluted: true })
    return map
  }),
)
const mutation = fc.record({
  path: fc.constantFrom(...pathsOf(whole)),
  change: fc.oneof(
    strangeValue.map(value => () => value),
    fc.tuple(strangeKey, strangeValue).map(([key, value]) => (old: unknown) => {
      if (typeof old !== 'object' || old === null) return value
      const copy = { ...old }
      define(copy, key, value)
      return copy
    }),
    fc.constant((old: unknown) => [old, old]),
    fc.constant((old: unknown) => (typeof old === 'string' ? old.slice(1) : typeof old === 'number' ? -old : old)),
  ),
})

test('any job is accepted, or refused with a place in it', () => {
  const context = { path: 'job.yaml', baseDir: '/' }
  expect(() => checkJob(whole, context)).not.toThrow()
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), mutations => {
      let input: unknown = whole
      for (const { path, change } of mutations) {
        try {
          input = mutate(input, path, change)
        } catch {
          // An earlier change took the way away.
        }
      }
      try {
        checkJob(input, context)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(MillraceError)
        const { code, message } = thrown as MillraceError
        expect(code).toBe('CONFIG_INVALID')
        expect(message).toMatch(
          /^job\.yaml: (\S.*: |\d+ problems\n|.* is not accepted; expected a job|is missing; expected a job)/,
        )
      }
      expect({}).not.toHaveProperty('polluted')
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
    { numRuns: 600 },
  )
})
