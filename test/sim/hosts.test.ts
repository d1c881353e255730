import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/core/outcome.ts'
import { taskOf } from '../frontier/tasks.ts'
import { createSimWeb, type HostModel, htmlOf, type SimWeb } from './hosts.ts'
import { createSimEnv, type SimEnv } from './random.ts'

const never = new AbortController().signal

function bench(hosts: Readonly<Record<string, HostModel>>, seed = 1) {
  const env = createSimEnv(seed)
  const web = createSimWeb({ env, seed, hosts })
  const get = (url: string, signal = never): Promise<Outcome> =>
    web.fetch({ task: taskOf(url), route: null, grow: () => {} }, signal)
  return { env, web, get, run: <T>(main: () => Promise<T>) => env.clock.run(main) }
}

/** What came of it, in a word. */
const wordOf = (outcome: Outcome): string | number =>
  outcome.kind === 'page' ? outcome.page.status : outcome.kind === 'failed' ? outcome.fault.code : outcome.status

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `http://a.test/${index}`)

describe('a simulated host', () => {
  test('answers with the page that its model makes, owned by the reader alone', async () => {
    const { run, get } = bench({ 'a.test': { page: url => htmlOf(url.pathname, ['/next']) } })
    const outcome = await run(() => get('http://a.test/é'))
    if (outcome.kind !== 'page') throw new Error(`expected a page, got ${outcome.kind}`)
    const { body, headers, timing } = outcome.page
    expect(new TextDecoder().decode(body)).toContain('<a href="/next">')
    expect(body.byteLength).toBe(body.buffer.byteLength)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(timing).toEqual({ connectMs: 0, firstByteMs: 50, totalMs: 50 })
  })

  test('takes its time to connect, to work and to send', async () => {
    const model: HostModel = {
      connectMs: 30,
      latency: { kind: 'constant', ms: 200 },
      bytesPerSecond: 1000,
      page: () => 'x'.repeat(500),
    }
    const { run, get } = bench({ 'a.test': model })
    const outcome = await run(() => get('http://a.test/'))
    expect(outcome.kind === 'page' && outcome.page.timing).toEqual({ connectMs: 30, firstByteMs: 200, totalMs: 730 })
  })

  test.each([
    ['constant', { kind: 'constant', ms: 80 }, 80, 80],
    ['exponential', { kind: 'exponential', meanMs: 80 }, 80, 55.5],
    ['lognormal', { kind: 'lognormal', medianMs: 80, sigma: 0.5 }, 90.7, 80],
  ] as const)('has latencies of a law: %s', async (_name, latency, meanMs, medianMs) => {
    const { run, get } = bench({ 'a.test': { latency } })
    const outcomes = await run(() => Promise.all(many(5000).map(url => get(url))))
    const times = outcomes
      .map(outcome => (outcome.kind === 'page' ? outcome.page.timing.firstByteMs : Number.NaN))
      .sort((a, b) => a - b)
    expect(times.reduce((sum, ms) => sum + ms, 0) / times.length / meanMs).toBeCloseTo(1, 1)
    expect((times[2500] ?? 0) / medianMs).toBeCloseTo(1, 1)
  })

  test('works on so many, lets so many wait, and refuses the rest with a Retry-After', async () => {
    const capacity = { workers: 2, queue: 3, retryAfterMs: 7000 }
    const { run, get, web } = bench({ 'a.test': { capacity } })
    const outcomes = await run(() => Promise.all(many(8).map(url => get(url))))
    expect(outcomes.map(wordOf)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    expect(outcomes[7]).toMatchObject({ kind: 'throttled', retryAfterMs: 7000 })
    expect(web.log.map(({ endedAtMs }) => endedAtMs)).toEqual([50, 50, 100, 100, 150, 1, 1, 1])
    expect(web.peakOf('a.test')).toBe(8)
  })

  test('gives the place of a waiting client that hangs up to the next one, and finishes work that nobody reads', async () => {
    const { run, get, env } = bench({ 'a.test': { capacity: { workers: 1, queue: 1 } } })
    const stop = new AbortController()
    const words = await run(async () => {
      const worked = get('http://a.test/1', stop.signal)
      const waiting = get('http://a.test/2', stop.signal)
      await env.clock.sleep(10, never)
      stop.abort()
      const next = get('http://a.test/3')
      return (await Promise.all([worked, waiting, next])).map(wordOf)
    })
    expect(words).toEqual(['ABORTED', 'ABORTED', 200])
    expect(env.clock.nowMs()).toBe(100)
  })

  test('bans who asks too fast, for a time', async () => {
    const ban = { requests: 3, withinMs: 1000, forMs: 60_000, status: 403 }
    const { run, get, env } = bench({ 'a.test': { ban } })
    const words = await run(async () => {
      const fast = await Promise.all(many(5).map(url => get(url)))
      await env.clock.sleep(50_000, never)
      const banned = await get('http://a.test/')
      await env.clock.sleep(10_000, never)
      return [...fast, banned, await get('http://a.test/')].map(wordOf)
    })
    expect(words).toEqual([200, 200, 200, 403, 403, 403, 200])
  })

  test.each([
    ['refused', 'CONNECT_FAILED'],
    ['silent', 'RESPONSE_TIMEOUT'],
    ['unavailable', 503],
  ] as const)('is %s during an outage and well before and after', async (as, word) => {
    const { run, get, env } = bench({ 'a.test': { outages: [{ fromMs: 1000, toMs: 2000, as }] } })
    const words = await run(async () => {
      const before = await get('http://a.test/')
      await env.clock.sleep(1000, never)
      const during = await get('http://a.test/')
      await env.clock.sleep(1000, never)
      return [before, during, await get('http://a.test/')].map(wordOf)
    })
    expect(words).toEqual([200, word, 200])
  })

  test('fails as often as its model says', async () => {
    const failures = { SERVER_ERROR: 0.2, CONNECT_FAILED: 0.1, HTTP_STATUS: 0.05, CONNECT_TIMEOUT: 0.05 }
    const { run, get } = bench({ 'a.test': { failures } })
    const outcomes = await run(() => Promise.all(many(4000).map(url => get(url))))
    const shareOf = (word: string | number): number => outcomes.filter(one => wordOf(one) === word).length / 4000
    expect(shareOf('SERVER_ERROR')).toBeCloseTo(0.2, 1)
    expect(shareOf('CONNECT_FAILED')).toBeCloseTo(0.1, 1)
    expect(shareOf(404)).toBeCloseTo(0.05, 1)
    expect(shareOf('RESPONSE_TIMEOUT')).toBeCloseTo(0.05, 1)
  })

  test('leads elsewhere, has a robots file, and misses pages', async () => {
    const model: HostModel = {
      redirect: url => (url.pathname === '/old' ? '/new' : null),
      robots: 'User-agent: *\nDisallow: /private',
      page: url => (url.pathname === '/new' ? 'here' : null),
    }
    const { run, get } = bench({ 'a.test': model })
    await run(async () => {
      expect(await get('http://a.test/old')).toMatchObject({ kind: 'moved', url: 'http://a.test/new' })
      expect(await get('http://a.test/robots.txt')).toMatchObject({
        kind: 'page',
        page: { headers: { 'content-type': 'text/plain' } },
      })
      expect(await get('http://a.test/none')).toMatchObject({ kind: 'gone', status: 404 })
    })
  })

  test('has no address without a model', async () => {
    const { run, get } = bench({})
    expect(wordOf(await run(() => get('http://nowhere.test/')))).toBe('DNS_FAILED')
  })
})

describe('a simulated fetch', () => {
  test('ends at once when its signal aborts, before or meanwhile, and leaves no timer', async () => {
    const { run, get, env, web } = bench({
      'a.test': { latency: { kind: 'constant', ms: 1000 }, outages: [{ fromMs: 0, toMs: 1e9, as: 'silent' }] },
    })
    const stop = new AbortController()
    env.clock.after(10, () => stop.abort())
    const words = await run(async () => {
      const meanwhile = await get('http://a.test/', stop.signal)
      return [meanwhile, await get('http://a.test/', stop.signal)].map(wordOf)
    })
    expect(words).toEqual(['ABORTED', 'ABORTED'])
    expect(env.clock.nowMs()).toBe(10)
    expect(env.clock.pendingTimers).toBe(0)
    expect(web.inFlight).toBe(0)
  })

  test('tells the budget of the body that came', async () => {
    const { web, run } = bench({ 'a.test': { page: () => 'x'.repeat(123) } })
    let grown = 0
    const grow = (bytes: number): void => {
      grown += bytes
    }
    await run(() => web.fetch({ task: taskOf('http://a.test/'), route: null, grow }, never))
    expect(grown).toBe(123)
  })
})

describe('one seed', () => {
  const model: HostModel = {
    latency: { kind: 'lognormal', medianMs: 100, sigma: 1 },
    capacity: { workers: 4, queue: 4 },
    failures: { SERVER_ERROR: 0.1 },
  }
  async function crawl(seed: number): Promise<SimWeb['log']> {
    const { web, run, get, env } = bench({ 'a.test': model, 'b.test': model }, seed)
    await run(async () => {
      const one = async (url: string): Promise<void> => {
        await env.clock.sleep(env.random() * 2000, never)
        await get(url)
      }
      await Promise.all(many(200).flatMap(url => [one(url), one(url.replace('a.test', 'b.test'))]))
    })
    return web.log
  }

  test('gives one log, another seed another', async () => {
    const log = await crawl(5)
    expect(log).toHaveLength(400)
    expect(log.every(({ answer, endedAtMs }) => answer !== null && endedAtMs !== null)).toBe(true)
    expect(await crawl(5)).toEqual(log)
    expect(await crawl(6)).not.toEqual(log)
  })

  test('gives a host the same answers whatever the other hosts are asked', async () => {
    const answers = async (others: number): Promise<unknown> => {
      const { web, run, get } = bench({ 'a.test': model, 'b.test': model })
      await run(async () => {
        for (const url of many(50)) {
          await get(url)
          for (let count = 0; count < others; count++) await get('http://b.test/')
        }
      })
      return web
        .requestsOf('a.test')
        .map(({ answer, atMs, endedAtMs }) => [answer, Math.round((endedAtMs ?? 0) - atMs)])
    }
    expect(await answers(0)).toEqual(await answers(2))
  })
})

test('models for many hosts come from a function', async () => {
  const env: SimEnv = createSimEnv(1)
  const web = createSimWeb({ env, seed: 1, hosts: host => (host.startsWith('h') ? { page: () => host } : null) })
  const outcomes = await env.clock.run(() =>
    Promise.all(
      ['http://h1.test/', 'http://h2.test:8080/', 'http://x.test/'].map(url =>
        web.fetch({ task: taskOf(url), route: null, grow: () => {} }, never),
      ),
    ),
  )
  expect(outcomes.map(wordOf)).toEqual([200, 200, 'DNS_FAILED'])
})
