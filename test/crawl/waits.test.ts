import { expect, test } from 'vitest'
import type { WaitCause } from '../../src/core/waits.ts'
import { crawl, type JobInput, type Report } from '../../src/index.ts'
import { createSimWeb, type HostModel } from '../sim/hosts.ts'
import { createSimParser } from '../sim/parser.ts'
import { createSimEnv } from '../sim/random.ts'
import { simulate, urlsOf } from './kit.ts'

const open = { perHost: { policy: 'fixed', max: 100 }, rate: 'none', delayMs: 0, inFlight: 256 } as const
const item = { title: 'title' }
const steady: HostModel = { latency: { kind: 'constant', ms: 100 } }
const alone = { ignoreFor: ['a.test', 'b.test', 'c.test', 'd.test'] }

async function waitsOf(job: Omit<JobInput, 'item'>, model: HostModel = steady): Promise<Report> {
  return (await simulate({ job: { robots: alone, item, ...job }, hosts: () => model })).report
}

const most = ({ stageTimes: { wait } }: Report): WaitCause | undefined =>
  (Object.keys(wait) as WaitCause[]).sort((a, b) => wait[b].totalMs - wait[a].totalMs)[0]

test('who waits for the one before it on its host waits for a slot, and as long as that takes', async () => {
  const report = await waitsOf({
    seeds: urlsOf('a.test', 21),
    limits: { ...open, perHost: { policy: 'fixed', max: 1 } },
  })
  expect(report.stageTimes.wait.hostSlot).toMatchObject({ count: 20, totalMs: 2_000, maxMs: 100 })
  expect(report.stageTimes.wait.hostSlot.p50Ms).toBeCloseTo(100, -1)
  expect(report.bottleneck.evidence.waitedFor).toEqual({ hostSlot: 1 })
})

test('who is kept apart from the one before it waits for the rate', async () => {
  const report = await waitsOf({ seeds: urlsOf('a.test', 11), limits: { ...open, rate: { perSecond: 2, burst: 1 } } })
  expect(most(report)).toBe('rate')
  // The first departs at once; each other is half a second behind, of which nothing else has a part.
  const totalMs = Object.values(report.stageTimes.wait).reduce((sum, { totalMs }) => sum + totalMs, 0)
  expect(totalMs).toBeCloseTo(10 * 500, -2)
})

test('all places taken is a wait for limits.inFlight, whichever the host', async () => {
  const seeds = ['a.test', 'b.test', 'c.test', 'd.test'].flatMap(host => urlsOf(host, 10))
  const report = await waitsOf({ seeds, limits: { ...open, inFlight: 2 } })
  expect(most(report)).toBe('inFlight')
})

test('a host that asked to be left alone is a pause', async () => {
  const ban = { requests: 10, withinMs: 10_000, forMs: 30_000, status: 429, retryAfterMs: 30_000 }
  const report = await waitsOf(
    { seeds: urlsOf('a.test', 30), limits: { ...open, perHost: { policy: 'aimd', start: 2, max: 2 } } },
    { ...steady, ban },
  )
  expect(most(report)).toBe('pause')
})

test('the robots file is waited for once', async () => {
  const report = await waitsOf({ seeds: urlsOf('a.test', 5), limits: open, robots: 'obey' })
  expect(report.stageTimes.wait.robots).toMatchObject({ count: 1, totalMs: 100 })
})

test('slow threads close the page budget, and that is what is waited for', async () => {
  const env = createSimEnv(1)
  const { clock, random } = env
  const run = crawl(
    {
      robots: alone,
      item,
      seeds: urlsOf('a.test', 60),
      limits: { ...open, bodyBytes: 16_384, pageBudgetBytes: 4 * 16_384 },
    },
    {
      env,
      fetcher: createSimWeb({ env, seed: 1, hosts: () => steady }),
      parser: createSimParser({ clock, random, threads: 1, law: { kind: 'constant', ms: 300 } }),
    },
  )
  const report = await clock.run(() => run.finished())
  expect(report.stageTimes.wait.pageBudget.totalMs).toBeGreaterThan(0.9 * report.durationMs - 1_000)
  expect(most(report)).toBe('pageBudget')
  expect(report.stageTimes.parse.extract).toMatchObject({ count: 60, totalMs: 60 * 300 })
  expect(report.bottleneck.kind).toBe('parse')
})
