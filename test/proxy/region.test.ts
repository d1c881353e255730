import { describe, expect, test } from 'vitest'
import { adds, simulate, urlsOf } from '../crawl/kit.ts'
import { type Drive, drive, specsOf } from './driver.ts'
import { ejectedMs, failingRegion, failsToMs, limitKept, slowdown, troubles, urls, wasted } from './failing-region.ts'
import { proxiesOf } from './kit.ts'

const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

/** The first good attempt of each proxy of the region after it recovered. */
function comebacks({ attempts }: Drive) {
  const first = new Map<string, (typeof attempts)[number]>()
  for (const attempt of attempts)
    if (attempt.region === 'bad' && attempt.atMs >= failsToMs && !attempt.isFault && !first.has(attempt.label))
      first.set(attempt.label, attempt)
  return [...first.values()].sort((left, right) => left.atMs - right.atMs)
}

describe('one region of proxies, 15 of 50, fails for 40 s (L17)', () => {
  for (const [name, trouble] of Object.entries(troubles))
    describe(`by ${name}`, () => {
      test.each(seeds)('seed %i', seed => {
        const it = failingRegion(trouble, seed)
        expect(it.done).toBeGreaterThanOrEqual(0.995 * urls)
        expect(it.done + it.dead).toBe(urls)
        expect(wasted(it)).toBeGreaterThan(5)
        expect(wasted(it)).toBeLessThanOrEqual(5 * 15 + 0.05 * urls)
        expect(limitKept(it)).toBeGreaterThanOrEqual(0.9)
        expect(slowdown(it)).toBeLessThanOrEqual(1.5)
        const bad = it.attempts.filter(({ region }) => region === 'bad')
        for (const probe of bad.filter(({ atMs }) => atMs >= ejectedMs && atMs < failsToMs))
          expect(bad.filter(({ atMs, endedAtMs }) => atMs <= probe.atMs && endedAtMs > probe.atMs)).toEqual([probe])
        const back = comebacks(it)
        expect(back.length).toBe(15)
        for (const [nth, { atMs, endedAtMs }] of back.entries()) {
          expect(endedAtMs).toBeLessThanOrEqual(failsToMs + 60_000)
          expect(atMs).toBeGreaterThanOrEqual(back[nth - 1]?.endedAtMs ?? 0)
        }
      })
    })
})

describe('all proxies fail for two minutes', () => {
  test.each(seeds)('seed %i: the job parks, does not spin, and no URL is burnt', seed => {
    const few = [...specsOf('one', 5), ...specsOf('two', 5)]
    const fromMs = 10_000
    const toMs = 130_000
    const weather = (_: string, __: string, nowMs: number) =>
      nowMs >= fromMs && nowMs < toMs ? ({ failure: 'refused', afterMs: 5 } as const) : null
    const it = drive({ specs: few, weather, urls: 1_000, perSecond: 20, untilMs: 400_000, seed })
    expect(it).toMatchObject({ done: 1_000, dead: 0 })
    const failed = it.attempts.filter(({ isFault }) => isFault)
    for (const { label } of few) {
      const own = failed.filter(attempt => attempt.label === label && attempt.atMs > fromMs + 2_000)
      for (const [nth, { atMs }] of own.entries())
        if (nth > 0) expect(atMs - (own[nth - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000)
    }
    // Sixty attempts at most where URLs come up at twenty a second.
    expect(failed.length).toBeLessThan(90)
  })
})

describe('the whole crawl', () => {
  const item = { title: 'h1' }
  const list = [...proxiesOf('bad', 6), ...proxiesOf('good', 14)]
  const job = {
    seeds: urlsOf('a.test', 400),
    item,
    limits: { perHost: { policy: 'aimd', start: 2, max: 32 }, rate: { perSecond: 20 }, delayMs: 0 },
    proxies: { list },
  } as const

  test('comes round a region that fails, robots file and all', async () => {
    const { report, proxies, web } = await simulate({
      job,
      hosts: { 'a.test': {} },
      proxies: ({ region }) => (region === 'bad' ? { kind: 'fault', failure: 'timeout', afterMs: 3_000 } : null),
    })
    expect(adds(report.ledger)).toBe(true)
    expect(report.ledger).toMatchObject({ done: 400, failed: 0, pending: 0 })
    expect(web.requestsOf('a.test').length).toBe(401)
    expect(proxies.log.filter(({ isFault }) => isFault).length).toBeLessThan(5 * 6 + 20)
    const [down, up] = [report.proxies.filter(({ isDown }) => isDown), report.proxies.filter(({ isDown }) => !isDown)]
    expect(down.map(({ region }) => region)).toEqual(Array(6).fill('bad'))
    expect(up.every(({ score }) => score === 1)).toBe(true)
    expect(JSON.stringify(report)).not.toContain('secret')
  })

  test('parks while all of them fail, says so, and goes on when they are back', async () => {
    let said = ''
    const { report, proxies } = await simulate({
      job: { ...job, seeds: urlsOf('a.test', 100), robots: { ignoreFor: ['a.test'] } },
      hosts: { 'a.test': {} },
      proxies: (_, __, nowMs) =>
        nowMs > 1_000 && nowMs < 90_000 ? { kind: 'fault', failure: 'connect', afterMs: 5 } : null,
      during: (run, env) => void env.clock.after(60_000, () => (said = run.explain('http://a.test/99'))),
    })
    expect(report.ledger).toMatchObject({ done: 100, failed: 0 })
    expect(said).toMatch(
      /a\.test: .*all 20 proxies are down \(last: connect\): .*\.proxy\.test:8000 is probed next, in/,
    )
    expect(proxies.log.filter(({ isFault }) => isFault).length).toBeLessThan(100)
  })
})
