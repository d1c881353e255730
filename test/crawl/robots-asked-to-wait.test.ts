import { describe, expect, test } from 'vitest'
import type { Outage } from '../sim/hosts.ts'
import { simulate, urlsOf } from './kit.ts'

const seeds = [1, 2, 3, 4, 5]

/** A host that says "wait" to everything from the start, its robots file first of all. */
const run = (outage: Omit<Outage, 'fromMs' | 'as'>, seed: number) =>
  simulate({
    job: {
      seeds: urlsOf('a.test', 30),
      item: { title: 'h1' },
      limits: { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0 },
      retries: { url: 0 },
    },
    hosts: { 'a.test': { robots: 'User-agent: *\nAllow: /', outages: [{ fromMs: 0, as: 'unavailable', ...outage }] } },
    seed,
  })

type Run = Awaited<ReturnType<typeof run>>
const askedFor = ({ web }: Run) => web.requestsOf('a.test').filter(({ url }) => url.endsWith('/robots.txt'))

describe('a robots file that is answered with "wait" from the start', () => {
  test.each(seeds)(
    'for a minute, and never for how long, ends no URL, and is asked for seldom (seed %i)',
    async seed => {
      const it = await run({ toMs: 60_000 }, seed)
      expect(it.report.ledger).toMatchObject({ done: 30, failed: 0, pending: 0 })
      expect(askedFor(it).length).toBeLessThanOrEqual(15)
      // No page before it is there.
      expect(it.web.requestsOf('a.test').filter(({ atMs }) => atMs < 60_000)).toEqual(askedFor(it).slice(0, -1))
    },
  )

  test.each(seeds)('by a Retry-After of 20 s, three times, is asked for four times (seed %i)', async seed => {
    const it = await run({ toMs: 50_000, status: 429, retryAfterMs: 20_000 }, seed)
    expect(it.report.ledger).toMatchObject({ done: 30, failed: 0, pending: 0 })
    expect(askedFor(it).map(({ answer }) => answer)).toEqual([429, 429, 429, 200])
    const [first, ...later] = askedFor(it).map(({ atMs }) => atMs)
    for (const [nth, atMs] of later.entries()) expect(atMs).toBeGreaterThanOrEqual((first ?? 0) + (nth + 1) * 20_000)
  })

  test.each(seeds)('by a 500 with a Retry-After is waited for like that (seed %i)', async seed => {
    const it = await run({ toMs: 50_000, status: 500, retryAfterMs: 20_000 }, seed)
    expect(it.report.ledger).toMatchObject({ done: 30, failed: 0, pending: 0 })
    expect(askedFor(it).length).toBe(4)
  })

  test('for ever ends its URLs when they have waited for as long as they may, and says so', async () => {
    const it = await run({ toMs: 1e12 }, 1)
    expect(it.report.ledger).toMatchObject({ done: 0, failed: 30, pending: 0 })
    expect(it.report.deadByCode).toEqual({ THROTTLED: 30 })
    expect(it.report.durationMs).toBeGreaterThan(9 * 60_000)
    expect(it.report.durationMs).toBeLessThan(16 * 60_000)
    expect(it.web.requestsOf('a.test').length).toBeLessThan(40)
  })
})
