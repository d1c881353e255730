import { describe, expect, test } from 'vitest'
import type { Parser } from '../../src/parse/parser.ts'
import type { HostModel } from '../sim/hosts.ts'
import { createSimParser } from '../sim/parser.ts'
import { type SimRun, simulate, urlsOf } from './kit.ts'

interface Held extends SimRun {
  /** The most bytes of bodies that waited for a thread or were in one. */
  readonly peakBytes: number
}

/** Counts the bytes that a parser has. */
function countingBytes(parser: Parser, onHeld: (bytes: number) => void): Parser {
  let bytes = 0
  return Object.assign(Object.create(parser), {
    async parse(...asked: Parameters<Parser['parse']>) {
      const bodyBytes = asked[0].body.byteLength
      bytes += bodyBytes
      onHeld(bytes)
      return await parser.parse(...asked).finally(() => {
        bytes -= bodyBytes
      })
    },
  })
}

const meanAnswerMs = 50

interface Kind {
  readonly hosts: number
  readonly pagesOfEach: number
  readonly bodyBytes: number
  readonly model?: HostModel
  /** URLs of each that its robots file forbids, before its pages. */
  readonly forbidden?: number
}

/** Hosts of which nothing is known before, beside threads that are slow with large pages. */
async function crawlOf(kinds: Readonly<Record<string, Kind>>, limits: object, msPerMegabyte = 100): Promise<Held> {
  let peakBytes = 0
  const hosts = Object.entries(kinds).flatMap(([kind, { hosts, pagesOfEach, forbidden = 0 }]) =>
    Array.from({ length: hosts }, (_, nth) => ({ host: `${kind}${nth}.test`, pagesOfEach, forbidden })),
  )
  const kindOf = (host: string): string => host.replace(/\d+\.test$/, '')
  const bodies = new Map(Object.entries(kinds).map(([kind, { bodyBytes }]) => [kind, 'x'.repeat(bodyBytes)]))
  const run = await simulate({
    job: {
      name: 'unknown',
      seeds: hosts.flatMap(({ host, pagesOfEach, forbidden }) => [
        ...urlsOf(`${host}/forbidden`, forbidden),
        ...urlsOf(host, pagesOfEach),
      ]),
      item: { title: 'title' },
      limits: { delayMs: 0, rate: 'none', ...limits },
    },
    hosts: host => ({
      latency: { kind: 'exponential', meanMs: meanAnswerMs },
      page: () => ({ status: 200, contentType: 'text/html', body: bodies.get(kindOf(host)) ?? '' }),
      ...kinds[kindOf(host)]?.model,
    }),
    parser: ({ clock, random }) =>
      countingBytes(
        createSimParser({
          clock,
          random,
          threads: 2,
          law: ({ body }) => ({ kind: 'constant', ms: (body.byteLength * msPerMegabyte) / 1e6 }),
        }),
        bytes => {
          peakBytes = Math.max(peakBytes, bytes)
        },
      ),
  })
  return { ...run, peakBytes }
}

const budget = { bodyBytes: '400kB', pageBudgetBytes: '4MB' }

describe('the bodies that wait for a thread or are in one stay within the page budget', () => {
  test.each([
    ['many hosts with pages as large as may be', { large: { hosts: 40, pagesOfEach: 4, bodyBytes: 390_000 } }, {}],
    [
      'one that is asked for as many at once as it likes',
      { large: { hosts: 1, pagesOfEach: 100, bodyBytes: 390_000 } },
      { perHost: { policy: 'fixed', max: 64 } },
    ],
    [
      'many whose robots files come at the same time and are not there',
      {
        large: {
          hosts: 60,
          pagesOfEach: 4,
          bodyBytes: 390_000,
          model: { latency: { kind: 'constant', ms: 200 } },
        },
      },
      {},
    ],
    [
      'one whose robots file forbids most of its URLs',
      {
        large: {
          hosts: 1,
          pagesOfEach: 100,
          bodyBytes: 390_000,
          model: { robots: 'User-agent: *\nDisallow: /forbidden/' },
          forbidden: 300,
        },
      },
      { perHost: { policy: 'fixed', max: 64 } },
    ],
    [
      'many beside one that refuses hundreds of URLs',
      {
        refusing: { hosts: 1, pagesOfEach: 600, bodyBytes: 0, model: { page: () => null } },
        large: { hosts: 40, pagesOfEach: 4, bodyBytes: 390_000, model: { latency: { kind: 'constant', ms: 800 } } },
      },
      { perHost: { policy: 'fixed', max: 64 } },
    ],
    [
      'some of them among hosts with small pages',
      {
        large: { hosts: 20, pagesOfEach: 4, bodyBytes: 390_000 },
        small: { hosts: 40, pagesOfEach: 10, bodyBytes: 2_000 },
      },
      {},
    ],
  ] as const)('%s', async (_, kinds, limits) => {
    const { peakBytes, report } = await crawlOf(kinds, { ...budget, ...limits })
    expect(peakBytes).toBeLessThan(1.25 * 4_000_000)
    // Nor is it left unused.
    expect(peakBytes).toBeGreaterThan(0.5 * 4_000_000)
    expect(report.ledger.pending).toBe(0)
    expect(report.ledger.done).toBeGreaterThanOrEqual(100)
  })
})

test('hosts with small pages are as fast as with all the memory there is, but for the first few answers of the run', async () => {
  const kinds = { small: { hosts: 200, pagesOfEach: 20, bodyBytes: 20_000 } }
  const bound = await crawlOf(kinds, {}, 1)
  const free = await crawlOf(kinds, { pageBudgetBytes: '100GB' }, 1)
  expect(bound.report.durationMs).toBeLessThan(free.report.durationMs + 5 * meanAnswerMs)
  expect(bound.report.ledger).toMatchObject({ done: 4_000, failed: 0, pending: 0 })
})

/** How long it took from the first request until the last of these hosts was answered. */
function lastOf({ web: { log } }: SimRun, kind: string): number {
  const ends = log.filter(({ host }) => host.startsWith(kind)).map(({ endedAtMs }) => endedAtMs ?? 0)
  return Math.max(...ends) - (log[0]?.atMs ?? 0)
}

test('hosts whose large pages trickle do not hold back those with small ones', async () => {
  const kinds = {
    slow: { hosts: 20, pagesOfEach: 10, bodyBytes: 390_000, model: { bytesPerSecond: 39_000 } },
    small: { hosts: 40, pagesOfEach: 20, bodyBytes: 2_000 },
  }
  const run = await crawlOf(kinds, budget, 1)
  expect(run.report.ledger).toMatchObject({ failed: 0, pending: 0 })
  // Until it is known which hosts are large the first page of each may be in the way.
  expect(lastOf(run, 'small')).toBeLessThan(lastOf(run, 'slow') / 5)
})

test('a host that has no pages is not as slow as those beside it whose pages are large', async () => {
  const kinds = {
    large: { hosts: 30, pagesOfEach: 1, bodyBytes: 390_000 },
    refusing: { hosts: 1, pagesOfEach: 2_000, bodyBytes: 0, model: { page: () => null } },
  }
  const limits = { perHost: { policy: 'fixed', max: 64 } }
  const bound = await crawlOf(kinds, { ...budget, ...limits }, 1)
  const free = await crawlOf(kinds, { pageBudgetBytes: '100GB', ...limits }, 1)
  expect(lastOf(bound, 'refusing')).toBeLessThan(2 * lastOf(free, 'refusing'))
})
