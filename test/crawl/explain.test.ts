import { describe, expect, test } from 'vitest'
import { newTask } from '../../src/core/task.ts'
import type { Whereabouts } from '../../src/frontier/whereabouts.ts'
import { crawl, type JobInput } from '../../src/index.ts'
import { explainUrl } from '../../src/run/explain.ts'
import { createSimWeb } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { urlsOf } from './kit.ts'

test('a run can say why a URL waits', async () => {
  const env = createSimEnv(1)
  const hosts = {
    'slow.test': { latency: { kind: 'constant', ms: 60_000 } },
    'banned.test': { outages: [{ fromMs: 1_000, toMs: 1e9, as: 'unavailable' }] },
  } as const
  const web = createSimWeb({ env, seed: 1, hosts, timeouts: { firstByteMs: 100_000, totalMs: 100_000 } })
  const job: JobInput = {
    seeds: [...urlsOf('slow.test', 20), ...urlsOf('banned.test', 20)],
    item: { title: 'h1' },
    robots: { ignoreFor: ['slow.test', 'banned.test'] },
    limits: { perHost: { policy: 'fixed', max: 4 }, delayMs: 0, inFlight: 5, globalRate: { perSecond: 10 } },
    hosts: { 'banned.test': { policy: 'aimd', start: 1, delayMs: 5_000 } },
  }
  const run = crawl(job, { env, fetcher: web, threads: 0 })
  expect(run.explain('http://slow.test/1')).toMatch(/has not begun$/)
  const ended = env.clock.run(async () => {
    const finished = run.finished()
    await env.clock.sleep(500, new AbortController().signal)
    expect(run.explain('http://slow.test/7')).toMatch(/^slow\.test: limit 4, 4 in flight/)
    expect(run.explain('http://slow.test/1')).toBe('slow.test: under way')
    await env.clock.sleep(11_000, new AbortController().signal)
    expect(run.explain('http://banned.test/9')).toMatch(/^banned\.test: limit 1, \d in flight, .*in \d/)
    expect(run.explain('http://slow.test/99')).toBe('http://slow.test/99 is not known to this run')
    expect(run.explain('/x')).toMatch(/^\/x is no URL/)
    run.stop()
    return finished
  })
  await ended
})

test('a URL that waits for its next attempt says so, and after what, whatever its session', async () => {
  const env = createSimEnv(1)
  const away = [{ fromMs: 0, toMs: 1e9, as: 'refused' }] as const
  const busy = [{ fromMs: 0, toMs: 1e9, as: 'unavailable', retryAfterMs: 30_000 }] as const
  const hosts = {
    'away.test': { outages: away },
    'busy.test': { outages: busy },
    'old.test': { redirect: () => 'http://away.test/new' },
  }
  const web = createSimWeb({ env, seed: 1, hosts })
  const job: JobInput = {
    seeds: [
      { url: 'http://away.test/1', session: 'one' },
      { url: 'http://away.test/1', session: 'two' },
      'http://busy.test/1',
      'http://old.test/1',
    ],
    item: { title: 'h1' },
    scope: 'any',
    robots: { ignoreFor: Object.keys(hosts) },
    limits: { perHost: { policy: 'fixed', max: 4 }, rate: 'none', delayMs: 0 },
  }
  const run = crawl(job, { env, fetcher: web, threads: 0 })
  await env.clock.run(async () => {
    const finished = run.finished()
    await env.clock.sleep(400, new AbortController().signal)
    expect(run.explain('http://away.test/1')).toMatch(
      /^away\.test: tried again in \d(\.\d)? s after CONNECT_FAILED; limit 4, \d in flight/,
    )
    expect(run.explain('http://busy.test/1')).toMatch(
      /^busy\.test: tried again in \d\d s after THROTTLED \(status 503\); limit 4, \d in flight, paused/,
    )
    // Where it was redirected to.
    expect(run.explain('http://old.test/1')).toMatch(/^away\.test: tried again in .* after CONNECT_FAILED/)
    expect(run.explain('http://away.test/2')).toBe('http://away.test/2 is not known to this run')
    run.stop()
    return finished
  })
})

test('a URL that has ended waits for nothing, and one that was redirected for the host where it leads', async () => {
  const env = createSimEnv(1)
  const hosts = {
    'quick.test': {},
    'slow.test': { latency: { kind: 'constant', ms: 60_000 } },
    'old.test': { redirect: () => 'http://slow.test/new' },
  } as const
  const web = createSimWeb({ env, seed: 1, hosts, timeouts: { firstByteMs: 100_000, totalMs: 100_000 } })
  const job: JobInput = {
    seeds: [
      'http://quick.test/1',
      { url: 'http://quick.test/2', session: 'one' },
      'http://slow.test/1',
      'http://old.test/1',
    ],
    item: { title: 'h1' },
    scope: 'any',
    robots: { ignoreFor: Object.keys(hosts) },
    limits: { perHost: { policy: 'fixed', max: 1 }, rate: 'none', delayMs: 0 },
  }
  const run = crawl(job, { env, fetcher: web, threads: 0 })
  await env.clock.run(async () => {
    const finished = run.finished()
    await env.clock.sleep(20_000, new AbortController().signal)
    for (const url of ['http://quick.test/1', 'http://quick.test/2'])
      expect(run.explain(url)).toBe(`${url} has ended: the results say how`)
    expect(run.explain('http://old.test/1')).toMatch(/^slow\.test: limit 1, 1 in flight/)
    run.stop()
    return finished
  })
})

describe('a URL of a run', () => {
  const none = { readyAtMs: () => 0 }
  const explained = (found: Whereabouts): string =>
    explainUrl(
      {
        clock: createSimEnv(1).clock,
        frontier: { find: () => found },
        routes: { keyOf: url => url.href },
        hosts: { explain: () => 'limit 4, 4 in flight' },
        robots: none,
        place: { ...none, inFlight: 0 },
        backlog: { readyAtMs: () => 1, inFlight: 64 },
        slot: { ...none, pages: 0 },
        rate: none,
        proxies: { explain: () => null },
      },
      'http://a.test/1',
    )
  const task = newTask('http://a.test/1', new URL('http://a.test/1'), 'start')

  test('that is not in memory has ended or is on disk, where any are', () => {
    expect(explained({ kind: 'elsewhere', shelved: 500 })).toMatch(
      /^a\.test: has ended, or is one of 500 URLs that wait on disk for their turn; limit 4, 4 in flight/,
    )
  })

  test('whose answer is at hand waits for room alone', () => {
    expect(explained({ kind: 'at-hand', task })).toBe(
      'a.test: its answer is at hand; 64 pages are asked for or wait for a thread',
    )
  })

  test('that was never tried and whose time has not come waits for a proxy', () => {
    expect(explained({ kind: 'later', task: { ...task, notBeforeMs: 3_000 } })).toMatch(
      /^a\.test: no proxy that may take it is free for 3 s; limit 4/,
    )
  })
})
