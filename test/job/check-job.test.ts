import { describe, expect, test } from 'vitest'
import type { MillraceError } from '../../src/core/errors.ts'
import { hostKey } from '../../src/core/url.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { hostPolicyOf } from '../../src/job/host-policy.ts'
import type { Job } from '../../src/job/job.ts'
import { seedOf } from '../../src/job/seed-shape.ts'
import { defaultCrawlRules } from '../../src/scope/crawl-rules.ts'
import { defaultUrlRules } from '../../src/scope/url-key.ts'

const context = { path: 'books.yaml', baseDir: '/jobs' }
const minimal = { seeds: ['https://books.test/'], item: { title: 'h1' } }
const check = (changes: object = {}): Job => checkJob({ ...minimal, ...changes }, context)

/** The lines of the refusal, without the name of the file. */
function problemsOf(input: unknown): readonly string[] {
  try {
    checkJob(input, context)
  } catch (thrown) {
    const { code, message } = thrown as MillraceError
    expect(code).toBe('CONFIG_INVALID')
    expect(message).toMatch(/^books\.yaml: /)
    const lines = message.replace(/^books\.yaml: /, '').split('\n')
    return lines.length === 1 ? lines : lines.slice(1).map(line => line.trim())
  }
  return []
}
const problemsWith = (changes: object): readonly string[] => problemsOf({ ...minimal, ...changes })

describe('a job of two lines', () => {
  test('gets the preset general and every default', () => {
    expect(check()).toEqual({
      name: 'books',
      writtenIn: 'books.yaml',
      preset: 'general',
      seeds: [{ kind: 'url', seed: seedOf({ url: 'https://books.test/' }) }],
      scope: { within: 'same-host', include: [], exclude: [], maxDepth: null },
      ...defaultCrawlRules,
      urls: defaultUrlRules,
      pages: [
        {
          name: 'page',
          match: null,
          item: { title: { selector: 'h1', source: { kind: 'text' }, type: 'text', list: false } },
          follow: [],
          parser: 'fast',
        },
      ],
      limits: {
        perHost: { policy: 'aimd', start: 2, max: 25 },
        rate: null,
        delayMs: { min: 1_000, max: 3_000 },
        inFlight: 256,
        globalRate: null,
        perDomain: null,
        perAddress: null,
        bodyBytes: 10_000_000,
        pageBudgetBytes: 64_000_000,
      },
      loopback: { perHost: { policy: 'fixed', max: 64 }, rate: null, delayMs: { min: 0, max: 0 } },
      timeouts: {
        connectMs: 5_000,
        firstByteMs: 15_000,
        idleMs: 10_000,
        totalMs: 60_000,
        parseMs: 5_000,
        minBytesPerSecond: 256,
      },
      retries: { url: 3, proxy: 5, totalWaitMs: 600_000, budget: 0.1 },
      robots: { ignoreFor: [] },
      hosts: {},
      headers: {},
      pageHeaders: {},
      contentTypes: { accept: [], refuse: [] },
      redirects: { max: 10, metaRefresh: false },
      cookies: false,
      cache: null,
      http2: false,
      tls: { ca: [] },
      proxies: {
        connection: 'fresh',
        list: [],
        rotation: 'weighted',
        perProxy: 10_000,
        regions: [],
        geo: null,
        blockSigns: [],
        session: { maxUses: 50, maxAgeMs: 1_800_000, maxBlocks: 3 },
      },
      userAgent: 'Millrace/0.1',
      audit: 0,
      output: {
        format: 'jsonl',
        compress: 'none',
        rotation: null,
        columns: [],
        guardFormulas: true,
        ids: false,
        charset: false,
        warc: null,
      },
      webhook: null,
    })
  })

  test.each([
    ['polite', { policy: 'aimd', start: 2, max: 5 }, { min: 2_000, max: 5_000 }, 5],
    ['general', { policy: 'aimd', start: 2, max: 25 }, { min: 1_000, max: 3_000 }, 256],
    ['bulk', { policy: 'aimd', start: 2, max: 50 }, { min: 500, max: 1_500 }, 512],
  ])('with the preset %s goes as fast as that says', (preset, perHost, delayMs, inFlight) => {
    expect(check({ preset }).limits).toMatchObject({ perHost, delayMs, inFlight, rate: null })
  })
})

describe('limits', () => {
  test('say only what differs from the preset', () => {
    const { limits } = check({ limits: { perHost: { max: 16 }, delayMs: 500, bodyBytes: '2MiB' } })
    expect(limits.perHost).toEqual({ policy: 'aimd', start: 2, max: 16 })
    expect(limits.delayMs).toEqual({ min: 500, max: 500 })
    expect(limits.bodyBytes).toBe(2_097_152)
    expect(limits.inFlight).toBe(256)
  })

  test('of a maximum below the start lower the start', () => {
    expect(check({ limits: { perHost: { max: 1 } } }).limits.perHost).toEqual({ policy: 'aimd', start: 1, max: 1 })
  })

  test.each([
    [
      { perMinute: 600, burst: 5 },
      { tokensPerSecond: 10, burst: 5 },
    ],
    [{ perSecond: 0.5 }, { tokensPerSecond: 0.5, burst: 1 }],
    ['none', null],
  ])('a rate of %j is %j', (rate, expected) => {
    expect(check({ limits: { rate } }).limits.rate).toEqual(expected)
  })

  test.each(['aimd', 'blockrate', 'gradient', 'vegas'] as const)('take the policy %s by its name', policy => {
    expect(check({ limits: { perHost: { policy } } }).limits.perHost).toEqual({ policy, start: 2, max: 25 })
  })

  test('of `window` know how long an answer may take', () => {
    const { limits } = check({ limits: { perHost: { policy: 'window' } }, timeouts: { firstByteMs: 4_000 } })
    expect(limits.perHost).toEqual({ policy: 'window', start: 2, max: 25, budgetMs: 4_000 })
  })

  test('of `courteous` end at 4, whatever the preset allows', () => {
    const courteous = { policy: 'courteous', start: 2, max: 4 }
    expect(check({ preset: 'bulk', limits: { perHost: { policy: 'courteous' } } }).limits.perHost).toEqual(courteous)
    expect(check({ hosts: { 'a.test': { policy: 'courteous' } } }).hosts['a.test']?.perHost).toEqual(courteous)
  })

  test('over all hosts have a rate of the same shape', () => {
    expect(check({ limits: { globalRate: { perMinute: 90, burst: 3 } } }).limits.globalRate).toEqual({
      tokensPerSecond: 1.5,
      burst: 3,
    })
  })

  test('that a job states hold for loopback hosts too; what it leaves out is open there', () => {
    const { loopback } = check({ limits: { perHost: { policy: 'fixed', max: 4 }, delayMs: [10, 20] } })
    expect(loopback).toEqual({ perHost: { policy: 'fixed', max: 4 }, rate: null, delayMs: { min: 10, max: 20 } })
    expect(check({ preset: 'polite' }).loopback.perHost).toEqual({ policy: 'fixed', max: 64 })
  })

  test.each([
    [{ perHost: { start: 9, max: 4 } }, 'limits.perHost.start: 9 is not accepted; expected at most `max`, which is 4'],
    [{ perHost: { policy: 'fixed', start: 2 } }, /^limits\.perHost\.start: `fixed` does not start lower/],
    [{ perHost: { policy: 'fxied' } }, /^limits\.perHost\.policy: "fxied" .* did you mean `fixed`\?$/],
    [{ perHost: { policy: 'courteous', max: 5 } }, /^limits\.perHost\.max: 5 .* at most 4, which `courteous` never/],
    [{ globalRate: {} }, /^limits\.globalRate: .* either `perSecond` or `perMinute`/],
    [{ rate: { perSecond: 1, perMinute: 60 } }, /^limits\.rate: .* either `perSecond` or `perMinute`/],
    [{ rate: {} }, /^limits\.rate: .* either `perSecond` or `perMinute`/],
    [{ rate: { perSecond: 0 } }, /^limits\.rate\.perSecond: 0 .* above 0/],
    [{ delayMs: [300, 100] }, /^limits\.delayMs: \[300,100\] .* the smaller number first/],
    [{ delayMs: [300] }, /^limits\.delayMs: \[300\]/],
    [{ delayMs: -1 }, /^limits\.delayMs: -1/],
    [{ delayMs: '1 fortnight' }, /^limits\.delayMs: "1 fortnight" .* milliseconds .* 90s/],
    [{ delayMs: '2d' }, /^limits\.delayMs: "2d" .* milliseconds from 0 to 86400000/],
    [{ delayMs: ['1s', 'soon'] }, /^limits\.delayMs\[1\]: "soon" .* 90s/],
    [{ delayMs: {} }, /^limits\.delayMs: {} .* \[min, max\]/],
    [{ inFlight: 2.5 }, /^limits\.inFlight: 2\.5 .* whole number/],
    [{ inFlight: '10' }, /^limits\.inFlight: "10" .* whole number/],
    [{ bodyBytes: '10 apples' }, /^limits\.bodyBytes: "10 apples" .* 10MB, 512KiB/],
    [{ bodyBytes: '1GB' }, /^limits\.bodyBytes: "1GB" .* room for one body/],
    [{ pageBudgetBytes: 5 }, /^limits\.pageBudgetBytes: 5 .* room for one body/],
  ])('%j are refused', (limits, line) => {
    expect(problemsWith({ limits })).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)])
  })
})

describe('hosts', () => {
  test('that go above the bound of the preset need a reason', () => {
    const hosts = { 'books.test': { max: 32 } }
    expect(problemsWith({ hosts })).toEqual([
      expect.stringMatching(/^hosts\["books\.test"\]\.max: 32 is above 25, .*`reason`/),
    ])
    const reasoned = check({ hosts: { 'books.test': { max: 32, reason: 'agreed with the owner' } } })
    expect(reasoned.hosts['books.test']).toEqual({
      perHost: { policy: 'aimd', start: 2, max: 32 },
      rate: null,
      delayMs: null,
      headers: {},
      allowPrivate: false,
      reason: 'agreed with the owner',
    })
  })

  test('need no reason below the bound, nor on loopback up to what is open there', () => {
    expect(check({ hosts: { 'books.test': { max: 20 } } }).hosts['books.test']?.perHost?.max).toBe(20)
    expect(check({ hosts: { 'localhost:8080': { max: 64 } } }).hosts['localhost:8080']?.perHost).toEqual({
      policy: 'fixed',
      max: 64,
    })
    expect(check({ limits: { perHost: { max: 40 } }, hosts: { 'books.test': { max: 40 } } }).hosts).toHaveProperty([
      'books.test',
    ])
  })

  const fast = { delayMs: 0, rate: { perMinute: 600 } }
  test.each([
    ['a higher start', {}, { start: 8 }, /\.start: 8 is above 2, with which hosts of this job begin; .* at most 2$/],
    ['a higher start and bound', {}, { start: 8, max: 60 }, /\.max: 60 is above 25, .*`reason`/],
    [
      'no start at all',
      {},
      { policy: 'fixed' },
      /\.policy: 25 from the first request on, as `fixed` has it, is above 2,/,
    ],
    [
      'a constant of more',
      {},
      { policy: 'fixed', max: 3 },
      /\.max: 3 from the first request on, .* at most 2, or a policy/,
    ],
    [
      'a higher constant',
      { perHost: { policy: 'fixed', max: 4 } },
      { max: 5 },
      /\.max: 5 from the first .* is above 4,/,
    ],
    [
      'a shorter delay',
      {},
      { delayMs: [500, 1500] },
      /\.delayMs: 1000 ms between departures on average is less than 2000 /,
    ],
    [
      'no delay',
      { delayMs: 500 },
      { delayMs: 0 },
      /\.delayMs: 0 ms .* less than 500 ms, .* a `delayMs` of at least 500$/,
    ],
    ['no delay, beside a rate', fast, { delayMs: 0, rate: 'none' }, /\.delayMs: 0 ms .* less than 100 ms, /],
    ['a higher rate', fast, { rate: { perSecond: 20 } }, /\.rate: 50 ms .* less than 100 ms, /],
    ['no rate', fast, { rate: 'none' }, /\.rate: 0 ms .* less than 100 ms, .* `reason`/],
    [
      'a burst',
      fast,
      { rate: { perMinute: 6, burst: 9 } },
      /\.rate: 0 ms between departures of a burst is less than 100 /,
    ],
  ])('that get %s than the others and the preset need a reason', (_what, limits, host, line) => {
    const lines = problemsWith({ limits, hosts: { 'books.test': host } })
    expect(lines[0]).toMatch(line)
    expect(lines[0]).toMatch(/^hosts\["books\.test"\]\..*give a `reason` that the report can repeat/)
    const reasoned = check({ limits, hosts: { 'books.test': { ...host, reason: 'agreed with the owner' } } })
    expect(reasoned.hosts['books.test']?.reason).toBe('agreed with the owner')
  })

  test.each([
    ['a rate beside the delay of the others', {}, { rate: { perSecond: 100, burst: 9 } }],
    ['no delay beside a rate that is no higher', {}, { delayMs: 0, rate: { perMinute: 30 } }],
    ['no rate where the preset has none', { rate: { perMinute: 6 } }, { rate: 'none' }],
    ['the delay of the preset where the others wait longer', { delayMs: '1m' }, { delayMs: [1_000, 3_000] }],
    ['the start of the others', { perHost: { start: 8 } }, { start: 8, max: 25 }],
    ['a constant that the others begin with', {}, { policy: 'fixed', max: 2 }],
    ['another policy', { perHost: { policy: 'fixed', max: 9 } }, { policy: 'aimd', start: 9, max: 25 }],
  ])('with %s need no reason', (_what, limits, host) => {
    expect(problemsWith({ limits, hosts: { 'books.test': host } })).toEqual([])
  })

  test('of this machine need one above what is open there, and for nothing else', () => {
    const limits = { perHost: { policy: 'fixed', max: 4 }, delayMs: 1_000 }
    expect(problemsWith({ limits, hosts: { localhost: { max: 64, delayMs: 0, rate: 'none' } } })).toEqual([])
    expect(problemsWith({ hosts: { localhost: { max: 65 } } })).toEqual([
      expect.stringMatching(/\.max: 65 .* above 64,/),
    ])
  })

  test('are named as host keys are spelt', () => {
    const { hosts, robots } = check({
      hosts: { 'Bücher.Test': { rate: 'none' }, 'Books.Test:8080': { delayMs: '10s' } },
      robots: { ignoreFor: ['LOCALHOST:8080', '[::1]'] },
    })
    expect(Object.keys(hosts)).toEqual(['xn--bcher-kva.test', 'books.test:8080'])
    expect(hosts['xn--bcher-kva.test']?.rate).toBe('none')
    expect(robots.ignoreFor).toEqual(['localhost:8080', '[::1]'])
  })

  test.each(['https://books.test', 'books.test/x', '*', '*.books.test', 'a b', ''])('%j is no host', name => {
    expect(problemsWith({ hosts: { [name]: {} } })[0]).toMatch(/this is not a host/)
    if (name !== '') expect(problemsWith({ robots: { ignoreFor: [name] } })[0]).toMatch(/^robots\.ignoreFor\[0\]: /)
  })

  test('given twice in two spellings are refused', () => {
    expect(problemsWith({ hosts: { 'a.test': {}, 'A.test': {} } })[0]).toMatch(/given twice/)
  })
})

describe('pages', () => {
  const pages = [
    { name: 'list', match: '/page-*', follow: 'li.next a' },
    { name: 'product', item: { price: { selector: '.price', type: 'number' } }, parser: 'browser' },
  ]

  test('are read in their order', () => {
    const job = checkJob({ seeds: [{ url: 'https://a.test/page-1', page: 'list' }], pages }, context)
    expect(job.pages.map(({ name, match, follow, parser }) => ({ name, match, follow, parser }))).toEqual([
      { name: 'list', match: '/page-*', follow: ['li.next a'], parser: 'fast' },
      { name: 'product', match: null, follow: [], parser: 'browser' },
    ])
  })

  const base = { seeds: ['https://a.test/'] }
  test.each([
    [{ ...base }, /^pages: nothing says how pages are read/],
    [{ ...base, pages: [] }, /^pages: \[\] .* one page rule at least/],
    [{ ...base, pages, item: { a: 'b' } }, /^item: this belongs to a page rule/],
    [{ ...base, pages: [{ item: { a: 'b' } }] }, /^pages\[0\]\.name: is missing/],
    [{ ...base, pages: [{ name: 'a' }] }, /^pages\[0\]: this page would be fetched for nothing/],
    [{ ...base, pages: [...pages, { name: 'list', follow: 'a' }] }, /^pages\[2\]\.name: another page is called "list"/],
    [{ ...base, pages: [{ name: 'start', follow: 'a' }] }, /^pages\[0\]\.name: "start"/],
    [{ ...base, pages: [{ name: 'robots.txt', follow: 'a' }] }, /^pages\[0\]\.name: "robots\.txt"/],
    [
      { ...base, pages: [{ name: 'a', match: 'x/*', follow: 'a' }] },
      /^pages\[0\]\.match: "x\/\*" is not a URL pattern/,
    ],
    [{ ...base, pages: [{ name: 'a', match: '/p/(?!x)*', follow: 'a' }] }, /cannot look ahead .*scope\.exclude/],
    [{ ...base, pages: [{ name: 'a', follow: ['a', 'b['] }] }, /^pages\[0\]\.follow\[1\]: .*b\[/],
    [{ ...base, follow: 'b[' }, /^follow: .*b\[/],
    [{ ...base, pages: [{ name: 'a', module: './a.yaml' }] }, /^pages\[0\]\.module: ".\/a.yaml" .* ends in .ts/],
    [{ ...base, module: './a.ts', item: { a: 'b' } }, /^module: .* give one of them/],
    [{ ...base, pages, module: './a.ts' }, /^module: this belongs to a page rule/],
    [{ ...base, item: { price: { selector: '.p', type: 'nubmer' } } }, /^item\.price\.type: "nubmer" .*"number"/],
    [{ ...base, item: { _url: 'a' } }, /^item.*_url/],
    [{ ...base, item: 'h1' }, /^item: "h1" .* a map of field names/],
    [{ ...base, item: { a: 'b' }, parser: 'fats' }, /^parser: "fats" .* did you mean `fast`/],
  ])('%j are refused', (input, line) => {
    expect(problemsOf(input)).toContainEqual(expect.stringMatching(line))
  })
})

describe('seeds', () => {
  test('are URLs, URLs with a page, and files', () => {
    const seeds = ['https://a.test/', { url: 'http://b.test/x', page: 'page' }, { from: 'urls.txt' }, { from: '-' }]
    expect(check({ seeds }).seeds).toEqual([
      { kind: 'url', seed: seedOf({ url: 'https://a.test/' }) },
      { kind: 'url', seed: seedOf({ url: 'http://b.test/x', page: 'page' }) },
      { kind: 'file', path: '/jobs/urls.txt' },
      { kind: 'file', path: '-' },
    ])
  })

  test.each([
    [undefined, /^seeds: is missing/],
    [[], /^seeds: \[\] .* one URL at least/],
    ['https://a.test/', /^seeds: "https:\/\/a\.test\/" .* a list of URLs/],
    [['https://a.test/', 'books.test'], /^seeds\[1\]: "books\.test" is not a URL/],
    [['ftp://a.test/'], /^seeds\[0\]: "ftp:\/\/a\.test\/" is not a URL/],
    [[{ url: 'https://a.test/', page: 'pgae' }], /^seeds\[0\]: no page rule is called "pgae"; did you mean `page`\?/],
    [[{}], /^seeds\[0\]: \{\}/],
    [[{ url: 'https://a.test/', from: 'x' }], /^seeds\[0\]: /],
    [[{ from: 'x', page: 'page' }], /^seeds\[0\]\.page: a file says this line by line/],
    [[{ sitemap: 'sitemap.xml' }], /^seeds\[0\]\.sitemap: "sitemap\.xml" .*an absolute http/],
    [[{ sitemap: 'robots' }], /^seeds\[0\]\.of: is missing/],
    [[{ sitemap: 'https://a.test/s.xml', since: 'May' }], /^seeds\[0\]\.since: "May" .*a date: 2026-01-31/],
    [[{ sitemap: 'https://a.test/s.xml', page: 'pgae' }], /^seeds\[0\]\.page: no page rule .*did you mean `page`/],
    [[{ url: 'https://a.test/', since: '2026-01-01' }], /^seeds\[0\]\.since: this key is of \{ sitemap: URL \}/],
    [[{ url: 'https://a.test/', column: 0 }], /^seeds\[0\]\.column: this key is of \{ from: file \}/],
    [[{ from: 'x.csv', delimiter: ';' }], /^seeds\[0\]\.delimiter: it is of tables/],
    [[{ url: 'https://a.test/', session: '' }], /^seeds\[0\]\.session: .*a name that its links share/],
    [[5], /^seeds\[0\]: 5/],
  ])('%j are refused', (seeds, line) => {
    expect(problemsWith({ seeds })).toEqual([expect.stringMatching(line)])
  })
})

describe('scope', () => {
  test.each([
    ['same-domain', { within: 'same-domain', include: [], exclude: [], maxDepth: null }],
    [{ maxDepth: 5 }, { within: 'same-host', include: [], exclude: [], maxDepth: 5 }],
    [{ include: ['/shop/*'] }, { within: 'same-host', include: ['/shop/*'], exclude: [], maxDepth: null }],
    [
      { include: ['https://*.a.test/*'] },
      { within: 'any', include: ['https://*.a.test/*'], exclude: [], maxDepth: null },
    ],
    [
      { within: 'any', exclude: ['*.pdf'] },
      { within: 'any', include: [], exclude: ['*.pdf'], maxDepth: null },
    ],
  ])('%j is %j', (scope, expected) => {
    expect(check({ scope }).scope).toEqual(expected)
  })

  test('names the pattern that does not parse', () => {
    expect(problemsWith({ scope: { exclude: ['/a', '/b('] } })).toEqual([
      expect.stringMatching(/^scope\.exclude\[1\]: "\/b\("/),
    ])
    expect(problemsWith({ scope: 'same-hots' })[0]).toMatch(/did you mean `same-host`\?/)
  })
})

describe('headers', () => {
  test('are sent with lower-case names, numbers as text', () => {
    expect(check({ headers: { 'Accept-Language': 'de', DNT: 1 } }).headers).toEqual({
      'accept-language': 'de',
      dnt: '1',
    })
  })

  test.each([
    [{ 'x-a': 'b\r\nevil: 1' }, /^headers\.x-a: the value .* on one line/],
    [{ 'x-a': 'b\0' }, /^headers\.x-a: /],
    [{ 'x-a': 'ツ' }, /^headers\.x-a: /],
    [{ 'x a': 'b' }, /^headers\["x a"\]: this is not the name of a header/],
    [{ 'x\na': 'b' }, /not the name of a header/],
    [{ Host: 'a.test' }, /^headers\.Host: this header is set by the client itself/],
    [{ 'User-Agent': 'x' }, /^headers\.User-Agent: write it as `userAgent`/],
    [{ a: '1', A: '2' }, /^headers\.A: this header is given twice/],
    [{ a: null }, /^headers\.a: null/],
  ])('%j are refused', (headers, line) => {
    expect(problemsWith({ headers })).toEqual([expect.stringMatching(line)])
    expect(problemsWith({ hosts: { 'a.test': { headers } } })).toHaveLength(1)
  })

  test('a user agent with a line break is refused', () => {
    expect(problemsWith({ userAgent: 'a\nb' })).toEqual([expect.stringMatching(/^userAgent: /)])
    expect(problemsWith({ userAgent: '  ' })).toHaveLength(1)
  })
})

test('all problems are told at once, each with its path', () => {
  const lines = problemsOf({
    lmits: {},
    seeds: ['books.test'],
    limits: { inFlight: 0, delayMs: ['x', 'y'] },
    pages: [{ name: 'a', match: '/a(', item: { price: { selector: '.p', type: 'nubmer' } } }],
    output: { format: 'xml' },
  })
  expect(lines.map(line => line.replace(/: .*/, ''))).toEqual([
    'limits.delayMs[0]',
    'limits.delayMs[1]',
    'limits.inFlight',
    'output.format',
    'lmits',
    'pages[0].match',
    'pages[0].item.price.type',
    'seeds[0]',
  ])
  expect(lines).toContain('lmits: unknown key `lmits`; did you mean `limits`?')
})

test('times have units, or are milliseconds', () => {
  const job = check({
    limits: { delayMs: ['500ms', 1500] },
    hosts: { 'a.test': { delayMs: '2 s' } },
    timeouts: { connectMs: '1.5s', totalMs: '2m' },
    retries: { totalWaitMs: '1h' },
    budget: { timeMs: '1d' },
    output: { rotate: { everyMs: '1h' } },
    proxies: { session: { maxAgeMs: '30m' } },
  })
  expect(job).toMatchObject({
    limits: { delayMs: { min: 500, max: 1_500 } },
    timeouts: { connectMs: 1_500, totalMs: 120_000 },
    retries: { totalWaitMs: 3_600_000 },
    budget: { timeMs: 86_400_000 },
    output: { rotation: { everyMs: 3_600_000 } },
    proxies: { session: { maxAgeMs: 1_800_000 } },
  })
  expect(hostPolicyOf(job, hostKey(new URL('https://a.test/')))).toMatchObject({ delayMs: { min: 2_000, max: 2_000 } })
})

test('the key `__proto__` is refused at the top of a job', () => {
  const text = '{ "seeds": ["https://books.test/"], "item": { "t": "h1" }, "__proto__": {} }'
  expect(problemsOf(JSON.parse(text))).toEqual([expect.stringMatching(/^__proto__: unknown key/)])
})

test('no map of a job has the key `__proto__`, however free its names are', () => {
  for (const [text, path] of [
    ['{ "headers": { "__proto__": "x" } }', 'headers.__proto__'],
    ['{ "hosts": { "__proto__": { "max": 3 } } }', 'hosts.__proto__'],
    ['{ "item": { "t": "h1", "__proto__": "h2" } }', 'item.__proto__'],
    ['{ "limits": { "__proto__": { "inFlight": 3 } } }', 'limits.__proto__'],
    ['{ "seeds": [{ "url": "http://a.test/", "meta": { "__proto__": 1 } }] }', 'seeds[0].meta.__proto__'],
  ] as const)
    expect(problemsOf({ ...minimal, ...JSON.parse(text) })[0], text).toMatch(`${path}: `)
})

test.each([null, undefined, 5, 'job', [], () => {}, new Map()])('%s is no job', input => {
  expect(problemsOf(input)).not.toEqual([])
})

test('a name that could not name a folder is refused', () => {
  expect(problemsWith({ name: '../up' })).toEqual([expect.stringMatching(/^name: "\.\.\/up"/)])
  expect(check({ name: 'Bücher 2026_a.b' }).name).toBe('Bücher 2026_a.b')
})

test('a bound over addresses is refused where proxies look names up', () => {
  const proxies = { list: ['http://gate.test:8000'] }
  const job = { seeds: ['https://a.test/'], item: { title: 'h1' }, limits: { perAddress: 4, perDomain: 8 } }
  expect(checkJob(job, { path: 'job', baseDir: '.' }).limits).toMatchObject({ perAddress: 4, perDomain: 8 })
  expect(() => checkJob({ ...job, proxies }, { path: 'job', baseDir: '.' })).toThrow(/limits\.perAddress/)
})
