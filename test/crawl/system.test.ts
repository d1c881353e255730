import { PassThrough, Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { robotsPage, type Task } from '../../src/core/task.ts'
import type { ClosableFetcher, Fetcher } from '../../src/fetch/fetcher.ts'
import { type CrawlResult, crawl } from '../../src/index.ts'
import { createSimWeb, type HostModel, htmlOf } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const open = { perHost: { policy: 'fixed', max: 8 }, rate: 'none', delayMs: 0 } as const
const item = { title: 'h1' }
const kinds = (results: readonly CrawlResult[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

describe('fairness', () => {
  test('a host with a hundred times the work does not delay the others', async () => {
    const small = Array.from({ length: 9 }, (_, nth) => `small${nth}.test`)
    const seeds = [...urlsOf('large.test', 1000), ...small.flatMap(host => urlsOf(host, 10))]
    const { web, report } = await simulate({
      job: { seeds, item, limits: { ...open, inFlight: 20 } },
      hosts: () => ({ latency: { kind: 'constant', ms: 100 } }),
    })
    expect(report.ledger.done).toBe(seeds.length)
    const lastSmallMs = Math.max(...small.flatMap(host => web.requestsOf(host).map(({ endedAtMs }) => endedAtMs ?? 0)))
    const lastLargeMs = Math.max(...web.requestsOf('large.test').map(({ endedAtMs }) => endedAtMs ?? 0))
    // Twenty places for ten hosts: two each, and one round more for the robots files.
    expect(lastSmallMs).toBeLessThan(1500)
    expect(lastLargeMs).toBeGreaterThan(5000)
  })
})

describe('politeness', () => {
  test('by default a host is asked for its robots file first, and then a page every one to three seconds', async () => {
    const { web } = await simulate({ job: { seeds: urlsOf('a.test', 50), item }, hosts: { 'a.test': {} } })
    const log = web.requestsOf('a.test')
    expect(log[0]?.url).toBe('http://a.test/robots.txt')
    for (const [nth, request] of log.entries()) {
      const before = log[nth - 1]
      if (before !== undefined) expect(request.atMs - before.atMs).toBeGreaterThanOrEqual(1000)
    }
    expect(web.peakOf('a.test')).toBeLessThanOrEqual(2)
  })

  test('the bound of a host is never exceeded as the host sees it', async () => {
    const { web } = await simulate({
      job: { seeds: urlsOf('a.test', 300), item, limits: { ...open, perHost: { policy: 'fixed', max: 3 } } },
      hosts: { 'a.test': { latency: { kind: 'exponential', meanMs: 80 } } },
    })
    expect(web.peakOf('a.test')).toBe(3)
  })

  test('the bound over all hosts is never exceeded', async () => {
    const seeds = Array.from({ length: 200 }, (_, nth) => `http://h${nth % 40}.test/${nth}`)
    const { web } = await simulate({ job: { seeds, item, limits: { ...open, inFlight: 5 } }, hosts: () => ({}) })
    expect(web.peakInFlight).toBe(5)
  })

  test('what robots.txt refuses is skipped with its reason and never asked for', async () => {
    const { web, results, report } = await simulate({
      job: { seeds: ['http://a.test/open', 'http://a.test/closed/1', 'http://a.test/closed/2'], item, limits: open },
      hosts: { 'a.test': { robots: 'User-agent: *\nDisallow: /closed/\n' } },
    })
    expect(kinds(results)).toEqual({ page: 1, skipped: 2 })
    expect(report.skips.robots).toBe(2)
    expect(web.log.some(({ url }) => url.includes('/closed/'))).toBe(false)
  })

  test('Crawl-delay spaces the requests of its host', async () => {
    const { web } = await simulate({
      job: { seeds: urlsOf('a.test', 5), item, limits: open },
      hosts: { 'a.test': { robots: 'User-agent: *\nCrawl-delay: 7\n' } },
    })
    const pages = web.requestsOf('a.test').slice(1)
    for (const [nth, { atMs }] of pages.entries())
      if (nth > 0) expect(atMs - (pages[nth - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(7000)
  })

  test('a robots file that moved to another host is followed there', async () => {
    const { results } = await simulate({
      job: { seeds: ['http://a.test/x', 'http://a.test/closed'], item, limits: open },
      hosts: {
        'a.test': { redirect: url => (url.pathname === '/robots.txt' ? 'http://b.test/robots.txt' : null) },
        'b.test': { robots: 'User-agent: *\nDisallow: /closed\n' },
      },
    })
    expect(kinds(results)).toEqual({ page: 1, skipped: 1 })
  })
})

describe('a host in trouble', () => {
  test('is not asked again before its Retry-After, and no URL fails for it', async () => {
    const { web, report } = await simulate({
      job: { seeds: urlsOf('a.test', 40), item, limits: { ...open, perHost: { policy: 'aimd', start: 2, max: 16 } } },
      hosts: { 'a.test': { ban: { requests: 20, withinMs: 1000, forMs: 8000, status: 429, retryAfterMs: 8000 } } },
    })
    expect(report.ledger).toMatchObject({ done: 40, failed: 0 })
    const firstRefusal = web.log.find(({ answer }) => answer === 429)
    expect(firstRefusal).toBeDefined()
    const refusedAtMs = firstRefusal?.endedAtMs ?? 0
    expect(web.log.filter(({ atMs }) => atMs > refusedAtMs + 100 && atMs < refusedAtMs + 8000)).toEqual([])
  })

  test('that blocks everything in a millisecond is not asked more often than while it gave pages', async () => {
    const limits = { ...open, perHost: { policy: 'aimd', start: 2, max: 8 } } as const
    const { web } = await simulate({
      job: { seeds: urlsOf('a.test', 1_500), item, limits },
      hosts: { 'a.test': { ban: { requests: 500, withinMs: 60_000, forMs: 600_000, status: 403 } } },
    })
    const asked = web.requestsOf('a.test').toSorted((left, right) => left.atMs - right.atMs)
    const blockedAtMs = asked.find(({ answer }) => answer === 403)?.atMs ?? 0
    const within = (fromMs: number): number =>
      asked.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + 1_000).length
    expect(within(blockedAtMs - 1_000)).toBeGreaterThan(100)
    expect(within(blockedAtMs + 100)).toBeLessThanOrEqual(within(blockedAtMs - 1_000) * 1.1)
  })

  test.each([
    { policy: 'aimd', start: 2, max: 8 },
    { policy: 'courteous', start: 2, max: 4 },
    { policy: 'window', start: 2, max: 8 },
    { policy: 'blockrate', start: 2, max: 8 },
    { policy: 'gradient', start: 2, max: 8 },
    { policy: 'vegas', start: 2, max: 8 },
    { policy: 'fixed', max: 8 },
  ] as const)('that blocks from its first request on is asked twice a second and place ($policy)', async perHost => {
    const { web } = await simulate({
      job: { seeds: urlsOf('a.test', 200), item, limits: { ...open, perHost } },
      hosts: { 'a.test': { ban: { requests: 0, withinMs: 60_000, forMs: 6e7, status: 403 } } },
    })
    const asked = web.requestsOf('a.test').map(({ atMs }) => atMs)
    expect(asked.length).toBeGreaterThanOrEqual(200)
    const perSecond = asked.map(fromMs => asked.filter(atMs => atMs >= fromMs && atMs < fromMs + 1_000).length)
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(2 * (perHost.policy === 'fixed' ? 8 : 2) + 1)
  })

  test('that blocks all but its robots file, which comes in no time, is not asked at the pace of that file', async () => {
    const limits = { ...open, perHost: { policy: 'aimd', start: 2, max: 8 } } as const
    const ban = { requests: 1, withinMs: 60_000, forMs: 6e7, status: 403 }
    const { web } = await simulate({
      job: { seeds: urlsOf('a.test', 200), item, limits },
      hosts: { 'a.test': { robots: 'User-agent: *\nAllow: /', latency: { kind: 'constant', ms: 2 }, ban } },
    })
    const asked = web.requestsOf('a.test').filter(({ answer }) => answer === 403)
    expect(asked.length).toBe(200)
    expect(asked.filter(({ atMs }) => atMs < 10_000).length).toBeLessThanOrEqual(45)
  })

  test('that is dead ends its URLs with a reason, and leaves the others alone', async () => {
    const live = Array.from({ length: 9 }, (_, nth) => `live${nth}.test`)
    const seeds = [...urlsOf('dead.test', 20), ...live.flatMap(host => urlsOf(host, 50))]
    const { report, results } = await simulate({
      job: { seeds, item, limits: { ...open, inFlight: 32 } },
      hosts: host => (host === 'dead.test' ? { outages: [{ fromMs: 0, toMs: 1e9, as: 'refused' }] } : {}),
    })
    expect(report.ledger).toMatchObject({ done: 450, failed: 20, pending: 0 })
    const dead = results.filter(result => result.kind === 'dead')
    expect(new Set(dead.map(({ code }) => code))).toEqual(new Set(['CONNECT_FAILED']))
    const lastLive = results.findLastIndex(result => result.kind === 'page')
    expect(lastLive).toBeGreaterThan(400)
  })

  test('that recovers is taken up again', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 60), item, limits: { ...open, perHost: { policy: 'aimd', start: 2, max: 8 } } },
      hosts: { 'a.test': { outages: [{ fromMs: 300, toMs: 20_000, as: 'unavailable' }] } },
    })
    expect(report.ledger).toMatchObject({ done: 60, failed: 0, pending: 0 })
  })
})

test('a dead letter says how far its URL came, whatever the code', async () => {
  const { results } = await simulate({
    job: { seeds: ['http://a.test/data', 'http://a.test/none'], item, limits: open },
    hosts: {
      'a.test': {
        page: url => (url.pathname === '/data' ? { status: 200, contentType: 'application/json', body: '{}' } : null),
      },
    },
  })
  const stages = results.flatMap(result => (result.kind === 'dead' ? [`${result.code} in ${result.stage}`] : []))
  expect(stages.sort()).toEqual(['CONTENT_TYPE in parse', 'HTTP_STATUS in fetch'])
})

describe('links and redirects', () => {
  const site = (url: URL): string =>
    htmlOf(
      url.pathname,
      url.pathname === '/' ? ['/1', '/2', '/1#x', 'http://b.test/', '/3?b=2&a=1', '/3?a=1&b=2'] : ['/'],
    )

  test('each page is fetched once, however often and in whatever spelling it is linked', async () => {
    const { web, report } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: ['a'], limits: open },
      hosts: { 'a.test': { page: site } },
    })
    const pages = web.log.map(({ url }) => url).filter(url => !url.endsWith('robots.txt'))
    expect(pages.sort()).toEqual(['http://a.test/', 'http://a.test/1', 'http://a.test/2', 'http://a.test/3?b=2&a=1'])
    expect(report.ledger.discovered).toBe(4)
  })

  test('what a seed says of itself goes with the links of its page, and one URL in two sessions is two', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': { page: site } } })
    const asked: Task[] = []
    const fetcher: ClosableFetcher = {
      fetch(request, signal) {
        if (request.task.page !== robotsPage) asked.push(request.task)
        return web.fetch(request, signal)
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const said = { url: 'http://a.test/', geo: 'fr', meta: { shelf: 7 } }
    const seeds = [
      { ...said, session: 'anna' },
      { ...said, session: 'ben', priority: 5 },
    ]
    await env.clock.run(() =>
      crawl({ seeds, item, follow: ['a'], limits: open }, { env, fetcher, threads: 0 }).finished(),
    )
    expect(asked.map(({ url, session }) => `${session} ${url}`).sort()).toEqual(
      ['anna', 'ben'].flatMap(name => ['', '1', '2', '3?b=2&a=1'].map(path => `${name} http://a.test/${path}`)),
    )
    for (const { geo, meta } of asked) expect({ geo, meta }).toEqual({ geo: 'fr', meta: { shelf: 7 } })
  })

  test('links further than maxDepth from a seed are not followed', async () => {
    const { report } = await simulate({
      job: { seeds: ['http://a.test/0'], item, follow: ['a'], scope: { maxDepth: 3 }, limits: open },
      hosts: { 'a.test': { page: url => htmlOf('x', [`/${Number(url.pathname.slice(1)) + 1}`]) } },
    })
    expect(report.ledger).toMatchObject({ discovered: 4, done: 4 })
  })

  test('a redirect is the same work at another place: asked as given, found elsewhere', async () => {
    const { results } = await simulate({
      job: { seeds: ['http://a.test/old'], item, limits: open },
      hosts: { 'a.test': { redirect: url => (url.pathname === '/old' ? '/new' : null) } },
    })
    expect(results).toMatchObject([{ kind: 'page', url: 'http://a.test/old', finalUrl: 'http://a.test/new' }])
    expect(results[0]?.kind === 'page' && results[0].items[0]).toMatchObject({
      _url: 'http://a.test/old',
      _finalUrl: 'http://a.test/new',
    })
  })

  test('a redirect to a page that is known already ends as such, without a loop', async () => {
    const { report } = await simulate({
      job: { seeds: ['http://a.test/new', 'http://a.test/old'], item, limits: open },
      hosts: { 'a.test': { redirect: url => (url.pathname === '/old' ? '/new' : null) } },
    })
    expect(report.ledger).toMatchObject({ done: 1, skipped: 1 })
    expect(report.skips['redirected-to-known']).toBe(1)
  })

  test('a redirect to another spelling of the same page is followed', async () => {
    const { report } = await simulate({
      job: { seeds: ['http://a.test/x?b=2&a=1'], item, limits: open },
      hosts: { 'a.test': { redirect: url => (url.search.startsWith('?b') ? '/x?a=1&b=2' : null) } },
    })
    expect(report.ledger).toMatchObject({ done: 1, failed: 0 })
  })

  test('redirects in a circle end with REDIRECT_LIMIT', async () => {
    const { results } = await simulate({
      job: { seeds: ['http://a.test/1'], item, limits: open },
      hosts: { 'a.test': { redirect: url => (url.pathname === '/1' ? '/2' : '/1') } },
    })
    expect(results).toMatchObject([{ kind: 'dead', code: 'REDIRECT_LIMIT', url: 'http://a.test/1' }])
  })

  test('an off-host redirect does not switch the scope to the new host', async () => {
    const { web, report } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: ['a'], limits: open },
      hosts: {
        'a.test': { redirect: url => (url.pathname === '/' ? 'http://b.test/' : null) },
        'b.test': { page: site },
      },
    })
    expect(report.skips['out-of-scope']).toBe(1)
    expect(web.requestsOf('b.test')).toEqual([])
  })

  test('a seed that no rule fits is read for its links alone', async () => {
    const { results } = await simulate({
      job: { seeds: ['http://a.test/'], pages: [{ name: 'numbered', match: '/:n', item }], limits: open },
      hosts: { 'a.test': { page: site } },
    })
    const pages = results.filter(result => result.kind === 'page')
    expect(pages.find(({ url }) => url === 'http://a.test/')).toMatchObject({ page: 'start', itemCount: 0 })
    expect(pages.filter(({ page }) => page === 'numbered').length).toBe(3)
  })
})

describe('every run ends', () => {
  const codes: readonly ErrorCode[] = [
    'CONNECT_FAILED',
    'CONNECT_TIMEOUT',
    'RESPONSE_TIMEOUT',
    'RESPONSE_TRUNCATED',
    'SERVER_ERROR',
    'HTTP_STATUS',
    'THROTTLED',
    'TLS_FAILED',
  ]
  const model: fc.Arbitrary<HostModel> = fc.record({
    latency: fc.record({ kind: fc.constant('exponential' as const), meanMs: fc.integer({ min: 1, max: 2000 }) }),
    failures: fc.dictionary(fc.constantFrom(...codes), fc.double({ min: 0, max: 0.25, noNaN: true }), { maxKeys: 4 }),
    capacity: fc.record({ workers: fc.integer({ min: 1, max: 5 }), queue: fc.nat(5) }),
  })

  test('whatever fails, with the ledger whole and each URL with one outcome', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(model, { minLength: 1, maxLength: 4 }), fc.nat(), async (models, seed) => {
        const seeds = models.flatMap((_, nth) => urlsOf(`h${nth}.test`, 15))
        const pages = (url: URL): string => htmlOf('x', [`/linked${url.pathname.length}`])
        const { report, results } = await simulate({
          seed,
          job: {
            seeds,
            item,
            follow: ['a'],
            limits: { perHost: { policy: 'aimd', start: 2, max: 8 }, rate: 'none', delayMs: 0 },
          },
          hosts: Object.fromEntries(models.map((one, nth) => [`h${nth}.test`, { ...one, page: pages }])),
        })
        expect(adds(report.ledger)).toBe(true)
        expect(report.ledger.pending).toBe(0)
        expect(results.length).toBe(report.ledger.discovered)
        expect(new Set(results.map(({ url }) => url)).size).toBe(results.length)
      }),
      { numRuns: 25 },
    )
  })

  test('one seed gives one log', async () => {
    const go = () =>
      simulate({
        seed: 7,
        job: { seeds: urlsOf('a.test', 60), item },
        hosts: {
          'a.test': {
            latency: { kind: 'lognormal', medianMs: 100, sigma: 1 },
            failures: { SERVER_ERROR: 0.2, THROTTLED: 0.1 },
          },
        },
      })
    const [one, two] = [await go(), await go()]
    expect(one.web.log).toEqual(two.web.log)
    expect(one.results).toEqual(two.results)
  })
})

describe('seeds from a stream', () => {
  test('a line that is no URL ends as a dead letter, and the run goes on', async () => {
    const { report, results } = await simulate({
      job: { seeds: [{ from: '-' }], item, limits: open },
      hosts: { 'a.test': {} },
      options: { seedInput: Readable.from(['http://a.test/1\nnonsense\nhttp://a.test/2\n']) },
    })
    expect(report.ledger).toMatchObject({ discovered: 3, done: 2, failed: 1, pending: 0 })
    expect(results.find(({ kind }) => kind === 'dead')).toMatchObject({ code: 'CONFIG_INVALID', url: 'nonsense' })
  })

  test('a run that is stopped before its seeds were read is not finished', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const stdin = new PassThrough()
    stdin.write('http://a.test/1\n')
    const run = crawl(
      { seeds: [{ from: '-' }], item, limits: open },
      { env, fetcher: web, threads: 0, seedInput: stdin },
    )
    const report = await env.clock.run(async () => {
      env.clock.after(1000, () => run.stop())
      return run.finished()
    })
    expect(report).toMatchObject({ finished: false, ledger: { done: 1, pending: 0 } })
    expect(stdin.destroyed).toBe(true)
  })

  test('a run that has its pages reads no more seeds, and lets go of the stream', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const stdin = new PassThrough()
    stdin.write('http://a.test/1\nhttp://a.test/2\n')
    const run = crawl(
      { seeds: [{ from: '-' }], item, limits: open },
      { env, fetcher: web, threads: 0, seedInput: stdin, maxPages: 1 },
    )
    expect(await env.clock.run(() => run.finished())).toMatchObject({ finished: false, ledger: { done: 1 } })
    expect(stdin.destroyed).toBe(true)
  })

  test('a file of many seeds is read as its URLs are fetched', async () => {
    let read = 0
    const lines = function* () {
      for (read = 0; read < 120_000; read += 100)
        yield Array.from({ length: 100 }, (_, more) => `http://a.test/${read + more}\n`).join('')
    }
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const run = crawl(
      { seeds: [{ from: '-' }], item, limits: open },
      { env, fetcher: web, threads: 0, seedInput: Readable.from(lines()) },
    )
    await env.clock.run(async () => {
      env.clock.after(500, () => run.stop())
      return run.finished()
    })
    expect(read).toBeLessThan(60_000)
  })
})

describe('the reader decides', () => {
  test('a reader that stops reading closes admission', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const run = crawl(
      { seeds: urlsOf('a.test', 5000), item, limits: { ...open, bodyBytes: '256KiB', pageBudgetBytes: '1MiB' } },
      { env, fetcher: web, threads: 0 },
    )
    await env.clock.run(async () => {
      const reader = run[Symbol.asyncIterator]()
      await reader.next()
      await env.clock.sleep(3_600_000, new AbortController().signal)
      // 64 pages of the least reservation fill 1 MiB; 16 results more may wait, and one was read.
      expect(web.log.length).toBeLessThanOrEqual(64 + 16 + 1 + 8 + 1)
      await run.close()
    })
    expect(web.inFlight).toBe(0)
  })

  test('a reader that parks does not keep a stopped run from ending', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const run = crawl({ seeds: urlsOf('a.test', 200), item, limits: open }, { env, fetcher: web, threads: 0 })
    const report = await env.clock.run(async () => {
      await run[Symbol.asyncIterator]().next()
      run.stop()
      return run.finished()
    })
    expect(report.finished).toBe(false)
  })

  test('URLs that robots.txt refuses wait for the reader like pages do', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': { robots: 'User-agent: *\nDisallow: /' } } })
    const job = {
      seeds: urlsOf('a.test', 5000),
      item,
      limits: { ...open, bodyBytes: '256KiB', pageBudgetBytes: '1MiB' },
    }
    const run = crawl(job, { env, fetcher: web, threads: 0 })
    await env.clock.run(async () => {
      await run[Symbol.asyncIterator]().next()
      await env.clock.sleep(60_000, new AbortController().signal)
      expect(run.progress().ended).toBeLessThanOrEqual(64 + 16 + 2)
      await run.close()
    })
  })

  test('a transport that is closed under a run ends it with that reason', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const closed: Fetcher = async () => ({
      kind: 'failed',
      fault: { code: 'ABORTED', message: 'closed' },
      status: null,
      timing: null,
      retryAfterMs: null,
    })
    const run = crawl(
      { seeds: urlsOf('a.test', 5), item, limits: open },
      { env, fetcher: { ...web, fetch: closed }, threads: 0 },
    )
    await expect(env.clock.run(() => run.finished())).rejects.toMatchObject({ code: 'ABORTED' })
  })

  test('a reader that leaves the loop stops the run', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': {} } })
    const run = crawl({ seeds: urlsOf('a.test', 500), item, limits: open }, { env, fetcher: web, threads: 0 })
    const report = await env.clock.run(async () => {
      for await (const _ of run) break
      return run.finished()
    })
    expect(report.finished).toBe(false)
    expect(report.ledger.pending).toBeGreaterThan(400)
    expect(adds(report.ledger)).toBe(true)
  })

  test('a run that is stopped finishes what is under way and leaves the rest pending', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': { latency: { kind: 'constant', ms: 500 } } } })
    const run = crawl({ seeds: urlsOf('a.test', 500), item, limits: open }, { env, fetcher: web, threads: 0 })
    const report = await env.clock.run(async () => {
      env.clock.after(2200, () => run.stop())
      return run.finished()
    })
    expect(report.ledger.done).toBe(web.log.filter(({ answer }) => answer === 200).length)
    expect(report.finished).toBe(false)
    expect(web.inFlight).toBe(0)
  })

  test('maxPages ends a run after exactly so many pages', async () => {
    const { report, web } = await simulate({
      job: { seeds: urlsOf('a.test', 500), item, limits: open },
      hosts: { 'a.test': { failures: { HTTP_STATUS: 0.3 } } },
      options: { maxPages: 20 },
    })
    expect(report.ledger.done).toBe(20)
    expect(web.inFlight).toBe(0)
    expect(report.finished).toBe(false)
  })
})
