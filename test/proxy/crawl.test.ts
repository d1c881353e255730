import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import type { Fetcher } from '../../src/fetch/fetcher.ts'
import { crawl } from '../../src/index.ts'
import { adds, simulate, urlsOf } from '../crawl/kit.ts'
import { htmlOf } from '../sim/hosts.ts'
import { createSimParser } from '../sim/parser.ts'
import { proxiesOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0 } as const
const robots = { ignoreFor: ['a.test'] }
const blockSigns = [
  { name: 'captcha', selector: '#captcha' },
  { name: 'denied', pattern: 'access\\s+denied' },
  { name: 'gateway', selector: '.gateway-error', of: 'proxy' as const },
]
const sumOf = (counts: readonly number[] = []): number => counts.reduce((sum, count) => sum + count, 0)
const page = (url: URL): string => htmlOf(`page ${url.pathname}`, [])

describe.each([403, 429] as const)('a region that a host answers %i', status => {
  test('shows in the block rates of the host, though the region is blamed for it', async () => {
    const list = [...proxiesOf('bad', 3), ...proxiesOf('one', 4), ...proxiesOf('two', 4)]
    const { report, proxies } = await simulate({
      job: { seeds: urlsOf('a.test', 300), item, limits, robots, proxies: { list } },
      hosts: { 'a.test': { page } },
      proxies: ({ region }) => (region === 'bad' ? { kind: 'status', status } : null),
    })
    const blocks = proxies.log.filter(({ route }) => route.region === 'bad').length
    const [host] = report.hosts
    const rateOf = (region: string) => host?.blockRateByRoute.find(({ route }) => route === region)
    expect(blocks).toBeGreaterThan(0)
    expect(rateOf('bad')).toMatchObject({ share: 1, answers: blocks })
    expect(rateOf('one')?.share).toBe(0)
    expect(Math.round((host?.blockRate ?? 0) * proxies.log.length)).toBe(blocks)
    expect(host?.blockRateOfLate).toMatchObject({ share: blocks / proxies.log.length, answers: proxies.log.length })
    expect(sumOf(report.timeline.refused)).toBe(blocks)
    expect(sumOf(Object.values(report.timeline.errors).flat())).toBe(blocks)
  })
})

describe('a page that says "not you" with status 200', () => {
  test('is no item: without proxies its URL ends as BLOCKED, with the sign', async () => {
    const { report, results } = await simulate({
      job: { seeds: urlsOf('a.test', 3), item, limits, robots, proxies: { blockSigns } },
      hosts: {
        'a.test': {
          page: url =>
            url.pathname === '/1'
              ? '<h1>Hello</h1><div id=captcha>'
              : url.pathname === '/2'
                ? '<h1>Access  Denied</h1>'
                : page(url),
        },
      },
    })
    expect(report).toMatchObject({ items: 1, ledger: { done: 1, failed: 2 }, deadByCode: { BLOCKED: 2 } })
    expect(
      results.flatMap(result => (result.kind === 'dead' ? [[result.code, result.stage, result.message]] : [])),
    ).toEqual(
      expect.arrayContaining([
        ['BLOCKED', 'parse', expect.stringContaining('block sign "captcha"')],
        ['BLOCKED', 'parse', expect.stringContaining('block sign "denied"')],
      ]),
    )
    expect(report.proxies).toEqual([])
  })

  test('shows in the block rates of its host and of the region that it came by; that of a gateway does not', async () => {
    const list = [...proxiesOf('bad', 3), ...proxiesOf('lying', 1), ...proxiesOf('one', 4), ...proxiesOf('two', 4)]
    const { report, proxies } = await simulate({
      job: { seeds: urlsOf('a.test', 200), item, limits, robots, proxies: { list, blockSigns } },
      hosts: { 'a.test': { page } },
      proxies: ({ region }) => {
        if (region === 'bad') return { kind: 'page', body: '<h1>Sorry</h1><p id="captcha">' }
        return region === 'lying' ? { kind: 'page', body: '<b class="gateway-error">no' } : null
      },
    })
    const countOf = (region: string) => proxies.log.filter(({ route }) => route.region === region).length
    const [host] = report.hosts
    const rateOf = (region: string) => host?.blockRateByRoute.find(({ route }) => route === region)
    expect(Math.min(countOf('bad'), countOf('lying'))).toBeGreaterThan(0)
    expect(rateOf('bad')).toMatchObject({ share: 1, answers: countOf('bad') })
    for (const region of ['lying', 'one', 'two']) expect(rateOf(region)?.share).toBe(0)
    expect(host?.blockRateOfLate.share).toBe(countOf('bad') / proxies.log.length)
    expect(Math.round((host?.blockRate ?? 0) * proxies.log.length)).toBe(countOf('bad'))
    const { refused, errors } = report.timeline
    expect(sumOf(refused)).toBe(countOf('bad'))
    expect([sumOf(errors.BLOCKED), sumOf(errors.PROXY_FAILED)]).toEqual([countOf('bad'), countOf('lying')])
  })

  test('shows in the block rate of its host without proxies too', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 4), item, limits, robots, proxies: { blockSigns } },
      hosts: { 'a.test': { page: url => (url.pathname === '/1' ? '<h1>Access denied</h1>' : page(url)) } },
    })
    expect(report.hosts[0]).toMatchObject({
      blockRate: 0.25,
      blockRateOfLate: { share: 0.25, answers: 4 },
      blockRateByRoute: [{ route: 'direct', share: 0.25, answers: 4 }],
    })
  })

  test('is plotted over time as refused when it came, however late it was read', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 200), item, limits, robots, proxies: { blockSigns } },
      hosts: { 'a.test': { page: () => '<h1>Access denied</h1>' } },
      parser: ({ clock, random }) => {
        const threads = createSimParser({ clock, random, threads: 1, law: { kind: 'constant', ms: 50 } })
        const blocked = { name: 'denied', isLie: false }
        return {
          ...threads,
          parse: async (request, signal) => ({ ...(await threads.parse(request, signal)), blocked }),
        }
      },
    })
    const { answers, refused, errors } = report.timeline
    expect(report.deadByCode).toEqual({ BLOCKED: 200 })
    expect(sumOf(refused)).toBe(200)
    expect(refused).toEqual(answers)
    expect(Object.keys(errors)).toEqual(['BLOCKED'])
    expect(sumOf(errors.BLOCKED)).toBe(200)
  })

  test('is fetched again elsewhere, and every URL comes home, through whichever region', async () => {
    const { report, results, proxies } = await simulate({
      job: {
        seeds: urlsOf('a.test', 200),
        item,
        limits,
        robots,
        proxies: { list: [...proxiesOf('bad', 3), ...proxiesOf('one', 4), ...proxiesOf('two', 4)], blockSigns },
      },
      hosts: { 'a.test': { page } },
      proxies: ({ region }) => (region === 'bad' ? { kind: 'page', body: '<h1>Sorry</h1><p id="captcha">' } : null),
    })
    expect(report.ledger).toMatchObject({ done: 200, failed: 0 })
    expect(results.every(result => result.kind === 'page' && String(result.items[0]?.title).startsWith('page /'))).toBe(
      true,
    )
    expect(proxies.log.filter(({ route }) => route.region === 'bad').length).toBeLessThan(30)
    const bad = report.proxies.filter(({ region }) => region === 'bad')
    expect(bad.every(({ blockRates, isDown }) => blockRates[0]?.rate === 1 && !isDown)).toBe(true)
  })

  test('ends under the ceiling of proxies where nobody gets it', async () => {
    const { report, results, web } = await simulate({
      job: { seeds: urlsOf('a.test', 1), item, limits, robots, proxies: { list: proxiesOf('one', 9), blockSigns } },
      hosts: { 'a.test': { page: () => '<h1>x</h1><p id=captcha>' } },
    })
    expect(report.ledger).toMatchObject({ failed: 1 })
    expect(results[0]).toMatchObject({ kind: 'dead', code: 'BLOCKED', proxyAttempts: 5, attempts: 1 })
    expect(web.log.length).toBe(6)
  })

  test('of the gateway itself is a lie: its proxy is left alone', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 400), item, limits, robots, proxies: { list: proxiesOf('one', 5), blockSigns } },
      hosts: { 'a.test': { page } },
      proxies: ({ label }) => (label.startsWith('one0') ? { kind: 'page', body: '<b class="gateway-error">no' } : null),
    })
    expect(report.ledger).toMatchObject({ done: 400, failed: 0 })
    expect(report.proxies[0]).toMatchObject({ failures: { lie: expect.any(Number) }, coolDowns: 1 })
    expect(report.proxies[0]?.failures.lie).toBeLessThan(8)
  })
})

describe('a region that a host refuses', () => {
  test.each([403, 429] as const)('with %i costs the host no limit and no URL its life', async status => {
    const run = (isRefused: boolean) =>
      simulate({
        job: {
          seeds: urlsOf('a.test', 600),
          item,
          limits,
          robots,
          proxies: { list: [...proxiesOf('bad', 4), ...proxiesOf('one', 8), ...proxiesOf('two', 8)] },
        },
        hosts: { 'a.test': { latency: { kind: 'constant', ms: 100 } } },
        proxies: ({ region }, _, nowMs) =>
          isRefused && region === 'bad' && nowMs > 3_000 ? { kind: 'status', status } : null,
      })
    const [it, calm] = [await run(true), await run(false)]
    expect(adds(it.report.ledger)).toBe(true)
    expect(it.report.ledger).toMatchObject({ done: 600, failed: 0 })
    expect(it.report.hosts[0]?.limit).toBeGreaterThanOrEqual(0.7 * (calm.report.hosts[0]?.limit ?? 0))
    const afterwards = it.proxies.log.filter(({ route, atMs }) => route.region === 'bad' && atMs > 3_000)
    expect(afterwards.length).toBeLessThan(20)
  })
})

describe('a page that no proxy brings', () => {
  test('is not the probe of every proxy, time and again, while all are down and the others wait (20 seeds)', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { report } = await simulate({
        seed,
        job: {
          seeds: urlsOf('a.test', 20),
          item,
          limits,
          robots,
          retries: { proxy: 1 },
          proxies: { list: ['http://one.test:1', 'http://two.test:2', 'http://three.test:3'] },
        },
        hosts: { 'a.test': {} },
        proxies: ({ label }, { pathname }) =>
          label === 'three.test:3' && !pathname.endsWith('7')
            ? null
            : { kind: 'fault', failure: 'refused', afterMs: 1 },
      })
      expect(report.ledger.pending).toBe(0)
      expect(report.durationMs).toBeLessThan(60_000)
    }
  })
})

describe('what the run shows', () => {
  test('nothing that is written has a credential in it, raw, encoded or in Base64', async () => {
    const out = await mkdtemp(join(tmpdir(), 'millrace-proxy-'))
    const timing = { connectMs: 0, firstByteMs: 1, totalMs: 1 }
    const answer = { status: 200, headers: { 'content-type': 'text/html' }, timing, reach: 'any' } as const
    const fetch: Fetcher = async ({ task, route }) => {
      if (route?.label === 'three.test:3' && !task.url.endsWith('7'))
        return { kind: 'page', page: { ...answer, task, body: new TextEncoder().encode('<h1>x</h1>') } }
      const fault = faultOf('PROXY_FAILED', `${task.url}: ${route?.label}: refused`)
      return { kind: 'failed', fault, status: 502, timing: null, retryAfterMs: null, proxyFailure: 'refused' }
    }
    try {
      const list = ['http://us%40er:hu%3Ash@one.test:1', 'two.test:2:user:hush', 'http://three.test:3']
      const job = { seeds: urlsOf('a.test', 20), item, limits, robots, retries: { proxy: 1 }, proxies: { list } }
      const fetcher = { fetch, [Symbol.asyncDispose]: async () => {} }
      const report = await crawl(job, { out, fetcher, threads: 0 }).finished()
      expect(report.ledger.failed).toBeGreaterThanOrEqual(2)
      const files = await readdir(out)
      const text = (await Promise.all(files.map(name => readFile(join(out, name), 'latin1')))).join('\n')
      expect(text).toContain('one.test:1')
      for (const secret of ['hush', 'hu:sh', 'hu%3Ash', 'us@er', 'us%40er'])
        for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')])
          expect(text).not.toContain(form)
    } finally {
      await rm(out, { recursive: true })
    }
  })

  test('proxies come and go while it runs', async () => {
    const { report, proxies } = await simulate({
      job: {
        seeds: urlsOf('a.test', 200),
        item,
        limits: { ...limits, rate: { perSecond: 20 } },
        robots,
        proxies: { list: ['one.test:1'] },
      },
      hosts: { 'a.test': {} },
      during: (run, env) => {
        env.clock.after(2_000, () => {
          run.proxies.add(['two.test:2'])
          run.proxies.remove('one.test:1')
        })
      },
    })
    expect(report.ledger.done).toBe(200)
    expect(proxies.log.every(({ route, atMs }) => (route.label === 'one.test:1') === atMs < 2_000)).toBe(true)
  })

  test('a session keeps its exit, its links inherit it, and another region waits for nobody', async () => {
    const { report, proxies } = await simulate({
      job: {
        seeds: [
          { url: 'http://a.test/', session: 's', geo: 'de' },
          { url: 'http://a.test/far', geo: 'fr' },
          { url: 'http://a.test/none', geo: 'jp' },
        ],
        item,
        follow: ['a'],
        limits,
        robots,
        proxies: { list: [...proxiesOf('de', 3), ...proxiesOf('fr', 3)] },
      },
      hosts: { 'a.test': { page: url => htmlOf('x', url.pathname === '/' ? ['/1', '/2', '/3', '/4'] : []) } },
      proxies: ({ region }, _, nowMs) =>
        region === 'fr' && nowMs < 30_000 ? { kind: 'fault', failure: 'connect', afterMs: 5 } : null,
    })
    expect(report.ledger).toMatchObject({ done: 6, failed: 1, pending: 0 })
    const german = proxies.log.filter(({ route }) => route.region === 'de')
    expect(german.length).toBe(5)
    expect(new Set(german.map(({ route }) => `${route.label} ${route.sessionKey}`)).size).toBe(1)
    expect(german.every(({ atMs }) => atMs < 5_000)).toBe(true)
  })
})
