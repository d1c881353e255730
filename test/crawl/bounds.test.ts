import { describe, expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'
import { createSimWeb, type SimWeb } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'fixed', max: 8 }, rate: 'none', delayMs: 0, inFlight: 64 } as const
const slow = { latency: { kind: 'exponential', meanMs: 500 } } as const
const subdomains = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, nth) => `h${nth}.${domain}`)

/** Most requests under way at a time over hosts that `isIn`. */
function peakOf(web: SimWeb, isIn: (host: string) => boolean): number {
  const log = web.log.filter(({ host }) => isIn(host))
  const changes = log.flatMap(({ atMs, endedAtMs }) => [
    { atMs, by: 1 },
    { atMs: endedAtMs ?? Number.POSITIVE_INFINITY, by: -1 },
  ])
  changes.sort((left, right) => left.atMs - right.atMs || left.by - right.by)
  let [inFlight, peak] = [0, 0]
  for (const { by } of changes) {
    inFlight += by
    peak = Math.max(peak, inFlight)
  }
  return peak
}

describe('a bound over a registrable domain', () => {
  test('holds over all its hosts, robots files included, is used, and lets other domains be', async () => {
    const many = subdomains(30, 'many.test')
    const { web, report } = await simulate({
      job: {
        seeds: [...many.flatMap(host => urlsOf(host, 6)), ...urlsOf('www.other.test', 60)],
        item,
        limits: { ...limits, perDomain: 8 },
      },
      hosts: () => slow,
    })
    expect(report.ledger).toMatchObject({ done: 240, pending: 0 })
    expect(adds(report.ledger)).toBe(true)
    expect(peakOf(web, host => host.endsWith('many.test'))).toBe(8)
    expect(web.peakOf('www.other.test')).toBe(8)
    // 30 robots files and 180 pages of half a second, eight at a time: no place stands empty while somebody waits.
    const endMs = Math.max(
      ...web.log.filter(({ host }) => host.endsWith('many.test')).map(entry => entry.endedAtMs ?? 0),
    )
    expect(endMs).toBeLessThan(((210 * 500) / 8) * 1.3)
  })

  test('is no trap for hosts that fail, pause or have no robots file', async () => {
    const hosts = subdomains(12, 'many.test')
    const { web, report } = await simulate({
      job: { seeds: hosts.flatMap(host => urlsOf(host, 10)), item, limits: { ...limits, perDomain: 1 } },
      hosts: host => ({
        ...slow,
        ...(host.startsWith('h1') && { failures: { SERVER_ERROR: 0.2, THROTTLED: 0.2, RESPONSE_TIMEOUT: 0.05 } }),
        ...(host.startsWith('h3') && { outages: [{ fromMs: 0, toMs: 100_000, as: 'refused' as const }] }),
      }),
    })
    expect(report.ledger.pending).toBe(0)
    expect(adds(report.ledger)).toBe(true)
    expect(peakOf(web, () => true)).toBe(1)
  })

  test('is said by explain', async () => {
    const env = createSimEnv(1)
    const web = createSimWeb({ env, seed: 1, hosts: () => slow })
    const seeds = [...urlsOf('a.many.test', 2), ...urlsOf('b.many.test', 2)]
    const robots = { ignoreFor: ['a.many.test', 'b.many.test'] }
    const run = crawl({ seeds, item, robots, limits: { ...limits, perDomain: 2 } }, { env, fetcher: web, threads: 0 })
    await env.clock.run(async () => {
      const finished = run.finished()
      await env.clock.sleep(1, new AbortController().signal)
      expect(run.explain('http://b.many.test/1')).toMatch(/, domain many\.test has its 2 in flight$/)
      return finished
    })
  })
})

describe('a bound over an address', () => {
  test('holds over all names that lead to it: those of this machine are one', async () => {
    const { web, report } = await simulate({
      job: {
        seeds: ['a.localhost', 'b.localhost', 'c.localhost:81', 'd.localhost'].flatMap(host => urlsOf(host, 20)),
        item,
        limits: { ...limits, perAddress: 3 },
      },
      hosts: () => slow,
    })
    expect(report.ledger).toMatchObject({ done: 80, pending: 0 })
    expect(peakOf(web, () => true)).toBe(3)
  })
})

test.each([
  ['none', 'none'],
  ['two a second', { perSecond: 2, burst: 10 }],
  ['a thousand a second', { perSecond: 1_000 }],
] as const)(
  'ten requests, two at a time, one second each, take five seconds as the host sees them, at a rate of %s',
  async (_, rate) => {
    const { web, report } = await simulate({
      job: {
        seeds: urlsOf('a.test', 10),
        item,
        robots: { ignoreFor: ['a.test'] },
        limits: { perHost: { policy: 'fixed', max: 2 }, rate, delayMs: 0 },
      },
      hosts: () => ({ latency: { kind: 'constant', ms: 1_000 } }),
    })
    expect(report.ledger).toMatchObject({ done: 10, pending: 0 })
    expect(web.peakOf('a.test')).toBe(2)
    const beganMs = Math.min(...web.log.map(({ atMs }) => atMs))
    const endedMs = Math.max(...web.log.map(({ endedAtMs }) => endedAtMs ?? Number.POSITIVE_INFINITY))
    expect((endedMs - beganMs) / 1_000).toBeCloseTo(5, 1)
  },
)
