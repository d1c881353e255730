import { describe, expect, test } from 'vitest'
import type { JobInput } from '../../src/index.ts'
import { adds, type SimRun, simulate, urlsOf } from '../crawl/kit.ts'
import { htmlOf } from '../sim/hosts.ts'
import type { ProxyTrouble } from '../sim/proxies.ts'
import { proxiesOf } from './kit.ts'

const item = { title: 'h1' }
const limits = { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0 } as const
const minuteMs = 60_000
const hostsOf = (count: number): string[] => Array.from({ length: count }, (_, nth) => `h${nth}.test`)
const model = { robots: 'User-agent: *\nDisallow: /none', page: (url: URL) => htmlOf(url.pathname, []) }
const connect = { kind: 'fault', failure: 'connect', afterMs: 5 } as const
const troubles: Readonly<Record<string, ProxyTrouble>> = {
  refuse: connect,
  hang: { kind: 'fault', failure: 'timeout', afterMs: 5_000 },
  'deny the credentials': { kind: 'fault', failure: 'denied', afterMs: 30, status: 407 },
  'answer with pages of their own': { kind: 'page', body: '<b class="gateway-error">no' },
}

interface Down {
  readonly list: readonly (string | { readonly url: string; readonly region: string })[]
  readonly hosts: readonly string[]
  readonly pages: number
  /** By minutes on the clock. */
  readonly isDown: (minute: number, region: string) => boolean
  readonly trouble?: ProxyTrouble
  readonly job?: Partial<JobInput>
  readonly seed?: number
}

/** A day and no longer; what the run has not ended by then is pending. */
const run = ({ list, hosts, pages, isDown, trouble = connect, job = {}, seed = 1 }: Down): Promise<SimRun> =>
  simulate({
    seed,
    job: {
      seeds: hosts.flatMap(host => urlsOf(host, pages)),
      item,
      limits,
      ...job,
      proxies: { list: [...list], blockSigns: [{ name: 'gateway', selector: '.gateway-error', of: 'proxy' as const }] },
    } as JobInput,
    hosts: Object.fromEntries(hosts.map(host => [host, model])),
    proxies: ({ region }, _, nowMs) => (isDown(nowMs / minuteMs, region) ? trouble : null),
    during: (crawling, { clock }) => void clock.after(24 * 60 * minuteMs, () => crawling.stop()),
  })

const plain = (count: number): string[] => Array.from({ length: count }, (_, nth) => `http://p${nth}.test:8000`)
const endsOf = ({ results }: SimRun) => results.filter(result => result.kind === 'dead')

/** Steady work for minutes, so that what happens meanwhile meets it. */
const slow = { ...limits, perHost: { policy: 'fixed', max: 2 }, rate: { perMinute: 20 } } as const

describe('a run whose proxies are all down for good ends', () => {
  const cases = Object.keys(troubles).flatMap(name =>
    [1, 3, 20].flatMap(proxies => [1, 5].map(hosts => [name, proxies, hosts] as const)),
  )
  test.each([...cases, ['refuse', 3, 40] as const])(
    'where they %s, %i of them, and %i hosts have robots files to be read',
    async (name, count, many) => {
      const hosts = hostsOf(many)
      const trouble = troubles[name] ?? connect
      const it = await run({ list: plain(count), hosts, pages: 30, isDown: () => true, trouble })
      expect(adds(it.report.ledger)).toBe(true)
      expect(it.report.ledger).toMatchObject({ done: 0, skipped: 0, failed: 30 * many, pending: 0 })
      expect(it.report.deadByCode).toEqual({ PROXY_FAILED: 30 * many })
      expect(it.report.durationMs).toBeGreaterThan(30 * minuteMs)
      expect(it.report.durationMs).toBeLessThan(40 * minuteMs)
      const why = count === 1 ? 'the only proxy that it may take has' : `of ${count} proxies that it may take none has`
      const told = endsOf(it).filter(({ url, message }) => message.startsWith(`${url} was not asked for: ${why}`))
      // What twenty liars tell before they are known for it costs URLs all their attempts.
      expect(told.length).toBeGreaterThan(trouble.kind === 'page' ? 0 : 30 * many - 1)
      // No storm: in the first minute what was under way when they went, then probes in cool-downs that grow.
      expect(it.proxies.log.filter(({ atMs }) => atMs > minuteMs).length).toBeLessThan(35 * count)
    },
  )

  test('where no robots file is asked for', async () => {
    const hosts = hostsOf(5)
    const job = { robots: { ignoreFor: hosts } }
    const it = await run({ list: plain(3), hosts, pages: 30, isDown: () => true, job })
    expect(it.report.ledger).toMatchObject({ done: 0, failed: 150, pending: 0 })
    expect(it.report.durationMs).toBeLessThan(40 * minuteMs)
  })

  test.each([1, 2])('where they worked before, half an hour after (seed %i)', async seed => {
    const isDown = (minute: number): boolean => minute > 2
    const it = await run({ list: plain(3), hosts: hostsOf(5), pages: 60, isDown, job: { limits: slow }, seed })
    const { done, failed, pending } = it.report.ledger
    expect(pending).toBe(0)
    expect(done).toBeGreaterThan(150)
    expect(failed).toBe(300 - done)
    expect(failed).toBeGreaterThan(50)
    expect(it.report.durationMs).toBeGreaterThan(32 * minuteMs)
    expect(it.report.durationMs).toBeLessThan(42 * minuteMs)
  })

  test('later or sooner, as retries.totalWaitMs says', async () => {
    for (const totalWaitMs of [0, 5 * minuteMs, 60 * minuteMs]) {
      const job = { retries: { totalWaitMs } }
      const it = await run({ list: plain(3), hosts: hostsOf(5), pages: 30, isDown: () => true, job })
      const leastMs = Math.max(minuteMs, 3 * totalWaitMs)
      expect(it.report.ledger).toMatchObject({ failed: 150, pending: 0 })
      expect(it.report.durationMs).toBeGreaterThan(leastMs)
      expect(it.report.durationMs).toBeLessThan(1.3 * leastMs + minuteMs)
    }
  })
})

describe('a run whose proxies come back', () => {
  test.each([2, 12, 29])('after %i minutes loses no URL', async minutes => {
    for (const fromMinute of [0, 0.5])
      for (const seed of [1, 2]) {
        const isDown = (minute: number): boolean => minute >= fromMinute && minute < fromMinute + minutes
        const job = { limits: slow }
        const it = await run({ list: plain(3), hosts: hostsOf(4), pages: 30, isDown, job, seed })
        expect(it.report.ledger).toMatchObject({ done: 120, failed: 0, pending: 0 })
        expect(it.report.durationMs).toBeLessThan((1.3 * minutes + 5) * minuteMs)
      }
  })

  test('for some minutes in each half of an hour does its work then, and gives up none of it', async () => {
    const isDown = (minute: number): boolean => minute % 30 > 3
    const job = { limits: slow }
    const it = await run({ list: plain(2), hosts: hostsOf(3), pages: 150, isDown, job })
    expect(it.report.durationMs).toBeGreaterThan(30 * minuteMs)
    expect(it.report.ledger).toMatchObject({ done: 450, failed: 0, pending: 0 })
  })
})

describe('a region of proxies ends all URLs that need it within the same time, and no other', () => {
  const hosts = hostsOf(5)
  const seeds = hosts.flatMap(host =>
    urlsOf(host, 24).map((url, nth) => ({ url, ...(nth % 2 === 0 && { geo: 'bad' }) })),
  )
  const cases = [
    ['is down for good', connect, 'PROXY_FAILED'],
    ['is refused by each host', { kind: 'status', status: 403 }, 'BLOCKED'],
    ['is told to wait by each host', { kind: 'status', status: 429 }, 'BLOCKED'],
    ['gets no answer of any host', { kind: 'silence', afterMs: 15_000 }, 'PROXY_FAILED'],
  ] as const
  test.each(cases)('where it %s', async (_, trouble, code) => {
    const list = [...proxiesOf('good', 3), ...proxiesOf('bad', 3)]
    const isDown = (__: number, region: string): boolean => region === 'bad'
    const it = await run({ list, hosts, pages: 0, isDown, trouble, job: { seeds } })
    expect(it.report.ledger).toMatchObject({ done: 60, failed: 60, pending: 0 })
    expect(it.report.deadByCode).toEqual({ [code]: 60 })
    expect(it.report.durationMs).toBeLessThan(45 * minuteMs)
    const told = endsOf(it).filter(({ message }) => message.includes('of 3 proxies that it may take none has worked'))
    expect(told.length).toBeGreaterThan(50)
  })
})

test('proxies that are taken out while a robots file is asked for through them leave no URL behind', async () => {
  const seeds = [{ url: 'http://h0.test/', geo: 'bad' }, ...urlsOf('h1.test', 3).map(url => ({ url, geo: 'good' }))]
  const { report } = await simulate({
    job: { seeds, item, limits, proxies: { list: [...proxiesOf('good', 1), ...proxiesOf('bad', 1)], geo: 'bad' } },
    hosts: { 'h0.test': model, 'h1.test': model },
    proxies: ({ region }) => (region === 'bad' ? connect : null),
    during: (crawling, { clock }) => {
      clock.after(minuteMs, () => crawling.proxies.remove('bad0.proxy.test:8000'))
      clock.after(60 * minuteMs, () => crawling.stop())
    },
  })
  expect(report.ledger).toMatchObject({ done: 3, failed: 1, pending: 0 })
  expect(report.durationMs).toBeLessThan(2 * minuteMs)
})
