import { expect, test } from 'vitest'
import { crawl, type JobInput } from '../../src/index.ts'
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
    await env.clock.sleep(11_000, new AbortController().signal)
    expect(run.explain('http://banned.test/9')).toMatch(/^banned\.test: limit 1, \d in flight, .*in \d/)
    expect(run.explain('http://slow.test/99')).toBe('http://slow.test/99 is not known to this run')
    expect(run.explain('/x')).toMatch(/^\/x is no URL/)
    run.stop()
    return finished
  })
  await ended
})
