import { describe, expect, test } from 'vitest'
import type { HostModel } from '../sim/hosts.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0, inFlight: 256 } as const
const live = Array.from({ length: 49 }, (_, nth) => `live${nth}.test`)
const dead = 'dead.test'
const healthy: HostModel = { latency: { kind: 'exponential', meanMs: 2_000 }, capacity: { workers: 2, queue: 8 } }

/** 50 hosts of some pages; the model of one of them is given, and it may have more. */
const fifty = (pages: number, model: HostModel, deadPages = pages, seed = 1) =>
  simulate({
    seed,
    job: { seeds: [...urlsOf(dead, deadPages), ...live.flatMap(host => urlsOf(host, pages))], item, limits },
    hosts: host => (host === dead ? model : healthy),
  })

type Run = Awaited<ReturnType<typeof fifty>>
const endMs = ({ web }: Run): number => Math.max(...live.map(host => web.requestsOf(host).at(-1)?.endedAtMs ?? 0))

/** Its share of all the time that permits were out between two points of time. */
function shareOf({ web }: Run, host: string, fromMs: number, toMs: number): number {
  const timeOf = (name: string): number =>
    web
      .requestsOf(name)
      .reduce(
        (sum, { atMs, endedAtMs }) => sum + Math.max(0, Math.min(endedAtMs ?? toMs, toMs) - Math.max(atMs, fromMs)),
        0,
      )
  const all = [dead, ...live].reduce((sum, name) => sum + timeOf(name), 0)
  return timeOf(host) / all
}

/** It is well while its robots file is read, or that alone would end its URLs. */
const silent: HostModel = { ...healthy, outages: [{ fromMs: 5_000, toMs: 1e9, as: 'silent' }] }
const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

/** Each with the reason that fits, or nobody could tell what became of it. */
function expectReasons({ report: { ledger }, results }: Run): readonly string[] {
  expect(adds(ledger)).toBe(true)
  expect(ledger).toMatchObject({ pending: 0 })
  const ends = results.filter(result => result.kind === 'dead')
  expect(ends.length).toBe(ledger.failed)
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set(['RESPONSE_TIMEOUT']))
  return ends.map(({ message }) => message)
}

describe('a host that accepts and never answers, among fifty (L11)', () => {
  test('leaves the others within 1.1 of their time, holds few permits, and its URLs end with a reason', async () => {
    const pages = 60
    const without = await fifty(pages, healthy)
    const run = await fifty(pages, silent, 500)
    expect(endMs(run)).toBeLessThanOrEqual(1.1 * endMs(without))
    expect(endMs(run)).toBeGreaterThan(45_000)
    expect(shareOf(run, dead, 30_000, endMs(run))).toBeLessThanOrEqual(0.05)
    const reasons = expectReasons(run)
    expect(reasons.filter(reason => reason.includes('dead.test was given up')).length).toBeGreaterThan(400)
    // Parked: it was asked some dozen times in ten minutes, not each URL four times.
    expect(run.web.requestsOf(dead).filter(({ atMs }) => atMs > 30_000).length).toBeLessThan(60)
    expect(run.report.durationMs).toBeLessThan(15 * 60_000)
  })

  test.each(seeds)('ends its URLs with a reason, whatever is drawn (seed %i)', async seed => {
    const run = await fifty(2, silent, 120, seed)
    const reasons = expectReasons(run)
    expect(reasons.filter(reason => reason.includes('dead.test was given up')).length).toBeGreaterThan(80)
    // Of the others none is lost.
    expect(run.report.ledger.done).toBeGreaterThanOrEqual(49 * 2)
    expect(run.report.durationMs).toBeLessThan(15 * 60_000)
  })

  test('and is taken up again where it comes back before that', async () => {
    const { report } = await fifty(20, { ...healthy, outages: [{ fromMs: 5_000, toMs: 120_000, as: 'refused' }] })
    expect(report.ledger.pending).toBe(0)
    expect(report.ledger.failed).toBeLessThan(20)
  })
})

describe('a host that fails every request', () => {
  const run = (perHost: { readonly policy: 'fixed' | 'aimd'; readonly max: number }, budget?: number) =>
    simulate({
      job: {
        seeds: urlsOf('a.test', 1_000),
        item,
        limits: { ...limits, perHost },
        robots: { ignoreFor: ['a.test'] },
        ...(budget === undefined ? {} : { retries: { budget } }),
      },
      hosts: { 'a.test': { failures: { SERVER_ERROR: 1 } } },
    })

  test('is asked little more often than it has pages: retries are a tenth of its requests', async () => {
    const { web, report } = await run({ policy: 'fixed', max: 8 })
    expect(report.ledger).toMatchObject({ failed: 1_000, pending: 0 })
    // 10 at first, a tenth of the requests, and one each five seconds for ten minutes.
    expect(web.log.length).toBeLessThanOrEqual(1_000 * 1.12 + 10 + 130)
  })

  test('is asked as often as its URLs may where the job lifts the budget', async () => {
    const { web } = await run({ policy: 'fixed', max: 8 }, 100)
    expect(web.log.length).toBe(4_000)
  })
})

test('a small job gets its retries, though a tenth of it is none', async () => {
  const { report } = await simulate({
    job: { seeds: urlsOf('a.test', 12), item, limits, retries: { url: 6 } },
    hosts: { 'a.test': { failures: { CONNECT_FAILED: 0.4 } } },
    seed: 3,
  })
  expect(report.ledger).toMatchObject({ done: 12, failed: 0 })
})

test('a rate over all hosts bounds their departures together', async () => {
  const hosts = Array.from({ length: 10 }, (_, nth) => `h${nth}.test`)
  const { web, report } = await simulate({
    job: {
      seeds: hosts.flatMap(host => urlsOf(host, 20)),
      item,
      limits: { ...limits, globalRate: { perSecond: 20, burst: 1 } },
    },
    hosts: () => ({}),
  })
  expect(report.ledger.done).toBe(200)
  const [first, last] = [web.log[0], web.log.at(-1)]
  // 200 pages and 10 robots files.
  expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeCloseTo(209 * 50, 0)
})
