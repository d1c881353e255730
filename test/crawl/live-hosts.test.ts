import { expect, test } from 'vitest'
import { crawl, type HostReport, type JobInput } from '../../src/index.ts'
import { createSimWeb } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { urlsOf } from './kit.ts'

const never = new AbortController().signal

test('a run says of each host what it knows so far: its limit, its latency, and whether it is being blocked', async () => {
  const env = createSimEnv(1)
  const latency = { kind: 'constant', ms: 100 } as const
  const outages = [{ fromMs: 10_000, toMs: 1e9, as: 'unavailable', status: 429 }] as const
  const hosts = { 'well.test': { latency }, 'blocked.test': { latency, outages } }
  const web = createSimWeb({ env, seed: 1, hosts })
  const job: JobInput = {
    seeds: [...urlsOf('well.test', 2_000), ...urlsOf('blocked.test', 2_000)],
    item: { title: 'h1' },
    robots: { ignoreFor: Object.keys(hosts) },
    limits: { perHost: { policy: 'aimd', start: 2, max: 4 }, rate: 'none', delayMs: 0 },
  }
  const run = crawl(job, { env, fetcher: web, threads: 0 })
  const of = (host: string): HostReport | undefined => run.hosts().find(one => one.host === host)
  expect(run.hosts()).toEqual([])
  const report = await env.clock.run(async () => {
    const finished = run.finished()
    await env.clock.sleep(9_000, never)
    for (const host of ['well.test', 'blocked.test'])
      expect(of(host)).toMatchObject({ limit: 4, latencyMs: { p50: 100, p95: 100 }, blockRate: 0, pauses: 0 })
    const early = run.hosts()
    const before = structuredClone(early)
    await env.clock.sleep(11_000, never)
    expect(early).toEqual(before)
    expect(of('well.test')?.blockRateOfLate).toMatchObject({ share: 0, windowMs: 300_000 })
    const blocked = of('blocked.test')
    expect(blocked?.blockRateOfLate.share).toBeGreaterThan(0)
    expect(blocked?.blockRateByRoute).toEqual([{ route: 'direct', ...blocked?.blockRateOfLate }])
    expect(blocked?.pauses).toBeGreaterThan(0)
    expect(blocked?.limitChanges.at(-1)?.reason).toContain('refused')
    expect(blocked?.limitChanges.at(-1)?.atMs).toBeGreaterThanOrEqual(10_000)
    run.stop()
    return finished
  })
  expect(run.hosts()).toEqual(report.hosts)
})
