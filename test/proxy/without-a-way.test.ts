import { describe, expect, test } from 'vitest'
import type { Env } from '../../src/core/clock.ts'
import { crawl } from '../../src/index.ts'
import { adds, simulate, urlsOf } from '../crawl/kit.ts'
import { createSimWeb, htmlOf } from '../sim/hosts.ts'
import { createSimProxies } from '../sim/proxies.ts'
import { createSimEnv } from '../sim/random.ts'
import { proxiesOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0 } as const
const robots = { ignoreFor: ['a.test'] }
const hourMs = 3_600_000

const seedsOf = (geo: string, count: number) => urlsOf('a.test', count).map(url => ({ url: `${url}?${geo}`, geo }))

describe('a URL whose only way out never works, while others do', () => {
  test.each([
    ['is dead', 1, { kind: 'fault', failure: 'connect', afterMs: 5 }],
    ['is dead with its neighbour', 2, { kind: 'fault', failure: 'connect', afterMs: 5 }],
    ['sends pages of its own', 1, { kind: 'page', body: '<b class="gateway-error">no' }],
  ] as const)('ends once that is given up, where the proxy %s', async (_, count, trouble) => {
    let isCut = false
    const { report, results, proxies } = await simulate({
      job: {
        seeds: [...seedsOf('bad', 4), ...seedsOf('good', 40)],
        item,
        limits,
        robots,
        retries: { proxy: 6 },
        proxies: {
          list: [...proxiesOf('good', 5), ...proxiesOf('bad', count)],
          blockSigns: [{ name: 'gateway', selector: '.gateway-error', of: 'proxy' as const }],
        },
      },
      hosts: { 'a.test': { page: url => htmlOf(url.pathname, []) } },
      proxies: ({ region }) => (region === 'bad' ? trouble : null),
      during: (run, env) => {
        env.clock.after(12 * hourMs, () => {
          isCut = true
          run.stop()
        })
      },
    })
    expect(isCut).toBe(false)
    expect(adds(report.ledger)).toBe(true)
    expect(report.ledger).toMatchObject({ done: 40, failed: 4, pending: 0 })
    expect(results.filter(({ kind }) => kind === 'dead')).toEqual(
      Array.from({ length: 4 }, () =>
        expect.objectContaining({
          code: 'PROXY_FAILED',
          message: expect.stringMatching(/was not asked for: .* worked for 3\d min/),
        }),
      ),
    )
    expect(report.durationMs).toBeLessThan(0.75 * hourMs)
    expect(proxies.log.length).toBeLessThan(300)
  })
})

describe('tasks without a way, so many that the first are due again when the last was looked at', () => {
  test('leave the run its turns: answers come in, others go, and it ends', async () => {
    const sim = createSimEnv(1)
    let calls = 0
    // Each look at the clock takes 20 ms: this machine is slow.
    const nowMs = (): number => sim.clock.nowMs() + 20 * ++calls
    const env: Env = { random: sim.random, clock: { ...sim.clock, nowMs } }
    const web = createSimWeb({ env: sim, seed: 1, hosts: { 'a.test': { page: url => htmlOf(url.pathname, []) } } })
    const dead = { kind: 'fault', failure: 'connect', afterMs: 5 } as const
    const fetcher = createSimProxies({ env: sim, web, model: ({ region }) => (region === 'bad' ? dead : null) })
    const job = {
      seeds: [...seedsOf('bad', 6), ...seedsOf('good', 6)],
      item,
      limits,
      robots,
      retries: { proxy: 0, totalWaitMs: 1_000 },
      proxies: { list: [...proxiesOf('good', 1), ...proxiesOf('bad', 1)] },
    }
    const run = crawl(job, { env, fetcher, threads: 0 })
    const report = await sim.clock.run(() => run.finished())
    expect(report.ledger).toMatchObject({ done: 6, failed: 6, pending: 0 })
  })
})

test('where proxies are given up, a URL that ends just as the next try falls due ends for that reason too', async () => {
  const sim = createSimEnv(1)
  let calls = 0
  // Each look at the clock takes 20 ms: to end them all takes longer than to be due again.
  const nowMs = (): number => sim.clock.nowMs() + 20 * ++calls
  const env: Env = { random: sim.random, clock: { ...sim.clock, nowMs } }
  const web = createSimWeb({ env: sim, seed: 1, hosts: {} })
  const dead = { kind: 'fault', failure: 'connect', afterMs: 5 } as const
  const fetcher = createSimProxies({ env: sim, web, model: () => dead })
  const job = {
    seeds: urlsOf('a.test', 8_000),
    item,
    limits: { perHost: { policy: 'fixed', max: 4 }, rate: 'none', delayMs: 0 } as const,
    robots,
    retries: { totalWaitMs: 1_000 },
    proxies: { list: ['http://p0.test:8000', 'http://p1.test:8000'] },
  }
  const run = crawl(job, { env, fetcher, threads: 0 })
  const report = await sim.clock.run(() => run.finished())
  expect(report.durationMs).toBeGreaterThan(20 * 60_000)
  expect(report.ledger).toMatchObject({ skipped: 0, failed: 8_000, pending: 0 })
  expect(report.deadByCode).toEqual({ PROXY_FAILED: 8_000 })
})

describe('a place whose only exit is dead', () => {
  test('does not keep the robots file from a host that others reach', async () => {
    const { report, results } = await simulate({
      job: {
        seeds: [...seedsOf('bad', 2), ...seedsOf('good', 20)],
        item,
        limits,
        retries: { proxy: 2, totalWaitMs: 60_000 },
        proxies: { list: [...proxiesOf('good', 3), ...proxiesOf('bad', 1)] },
      },
      hosts: { 'a.test': { robots: 'User-agent: *\nDisallow: /none', page: url => htmlOf(url.pathname, []) } },
      proxies: ({ region }) => (region === 'bad' ? { kind: 'fault', failure: 'connect', afterMs: 5 } : null),
    })
    expect(report.ledger).toMatchObject({ done: 20, failed: 2, pending: 0 })
    expect(results.slice(0, 20).every(({ kind }) => kind === 'page')).toBe(true)
  })
})

describe('a proxy that takes requests and never answers', () => {
  test('among sound ones of its region is hardly asked any more', async () => {
    const { report, proxies } = await simulate({
      job: { seeds: urlsOf('a.test', 600), item, limits, robots, proxies: { list: proxiesOf('one', 5) } },
      hosts: { 'a.test': { page: url => htmlOf(url.pathname, []) } },
      proxies: ({ label }) => (label.startsWith('one0') ? { kind: 'silence', afterMs: 15_000 } : null),
    })
    expect(report.ledger).toMatchObject({ done: 600, failed: 0 })
    expect(proxies.log.filter(({ route }) => route.label.startsWith('one0')).length).toBeLessThan(30)
  })
})
