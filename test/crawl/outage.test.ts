import { describe, expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'
import { createSimWeb } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { simulate, urlsOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'aimd', start: 2, max: 32 }, rate: 'none', delayMs: 0, inFlight: 256 } as const
const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

describe('half a minute in which a host says nothing but "wait" (L8)', () => {
  test.each(seeds)('costs no URL an attempt, and is asked after by single probes (seed %i)', async seed => {
    const { report, web, results } = await simulate({
      job: { seeds: urlsOf('a.test', 400), item, limits, retries: { url: 0 } },
      hosts: {
        'a.test': {
          latency: { kind: 'exponential', meanMs: 100 },
          capacity: { workers: 16, queue: 16 },
          outages: [{ fromMs: 1_500, toMs: 31_500, as: 'unavailable' }],
        },
      },
      seed,
    })
    expect(report.ledger).toMatchObject({ done: 400, failed: 0, pending: 0 })
    expect(results.every(({ kind }) => kind === 'page')).toBe(true)
    const probes = web.requestsOf('a.test').filter(({ atMs }) => atMs >= 3_500 && atMs < 31_500)
    expect(probes.length).toBeLessThanOrEqual(12)
    expect(probes.every(({ inFlight }) => inFlight === 1)).toBe(true)
  })
})

describe('a wall clock that jumps by an hour (L20)', () => {
  /** When each request left, with a wall clock that is off by so much from the third second on. */
  async function departures(jumpMs: number): Promise<readonly number[]> {
    const env = createSimEnv(1)
    const { clock } = env
    const wallIso = (): string =>
      new Date(Date.parse(clock.wallIso()) + (clock.nowMs() >= 3_000 ? jumpMs : 0)).toISOString()
    const model = {
      latency: { kind: 'exponential', meanMs: 100 },
      capacity: { workers: 2, queue: 2, retryAfterMs: 2_000 },
    } as const
    const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': model } })
    const job = { seeds: urlsOf('a.test', 150), item, limits: { ...limits, rate: { perSecond: 30, burst: 2 } } }
    const run = crawl(job, { env: { ...env, clock: { ...clock, wallIso } }, fetcher: web, threads: 0 })
    await clock.run(() => run.finished())
    return web.log.map(({ atMs }) => atMs)
  }

  test('moves no departure', async () => {
    const steady = await departures(0)
    expect(steady.length).toBeGreaterThan(150)
    for (const jumpMs of [3_600_000, -3_600_000]) expect(await departures(jumpMs)).toEqual(steady)
  })
})

describe('what bound a run', () => {
  const hosts = (robots?: string) => ({
    'a.test': { latency: { kind: 'constant', ms: 50 }, ...(robots && { robots }) } as const,
  })

  test('is pacing where a robots file asks for it', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 30), item, limits },
      hosts: hosts('User-agent: *\nCrawl-delay: 2'),
    })
    expect(report.bottleneck.kind).toBe('pace')
    expect(report.hosts[0]?.fullness).toBeLessThan(0.1)
  })

  test('is the limit of the host where that is held full', async () => {
    const { report } = await simulate({
      job: { seeds: urlsOf('a.test', 300), item, limits: { ...limits, perHost: { policy: 'fixed', max: 2 } } },
      hosts: hosts(),
    })
    expect(report.bottleneck.kind).toBe('host-limit')
    expect(report.hosts[0]?.fullness).toBeGreaterThan(0.95)
    expect(report.hosts[0]?.blockRateByRoute).toEqual([{ route: 'direct', share: 0, answers: 301, windowMs: 300_000 }])
  })
})
