import { describe, expect, test } from 'vitest'
import type { Parser } from '../../src/parse/parser.ts'
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
}

/** Hosts of which nothing is known before, beside threads that are slow with large pages. */
async function crawlOf(kinds: Readonly<Record<string, Kind>>, limits: object, msPerMegabyte = 100): Promise<Held> {
  let peakBytes = 0
  const hosts = Object.entries(kinds).flatMap(([kind, { hosts, pagesOfEach }]) =>
    Array.from({ length: hosts }, (_, nth) => ({ host: `${kind}${nth}.test`, pagesOfEach })),
  )
  const bodies = new Map(Object.entries(kinds).map(([kind, { bodyBytes }]) => [kind, 'x'.repeat(bodyBytes)]))
  const run = await simulate({
    job: {
      name: 'unknown',
      seeds: hosts.flatMap(({ host, pagesOfEach }) => urlsOf(host, pagesOfEach)),
      item: { title: 'title' },
      limits: { delayMs: 0, rate: 'none', ...limits },
    },
    hosts: host => ({
      latency: { kind: 'exponential', meanMs: meanAnswerMs },
      page: () => ({ status: 200, contentType: 'text/html', body: bodies.get(host.replace(/\d+\.test$/, '')) ?? '' }),
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
    expect(report.ledger).toMatchObject({ failed: 0, pending: 0 })
  })
})

test('hosts with small pages are as fast as with all the memory there is, but for the first few answers of the run', async () => {
  const kinds = { small: { hosts: 200, pagesOfEach: 20, bodyBytes: 20_000 } }
  const bound = await crawlOf(kinds, {}, 1)
  const free = await crawlOf(kinds, { pageBudgetBytes: '100GB' }, 1)
  expect(bound.report.durationMs).toBeLessThan(free.report.durationMs + 5 * meanAnswerMs)
  expect(bound.report.ledger).toMatchObject({ done: 4_000, failed: 0, pending: 0 })
})
