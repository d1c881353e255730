import { describe, expect, test } from 'vitest'
import { createSimParser } from '../sim/parser.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const huge = 'huge.test'
const small = Array.from({ length: 6 }, (_, nth) => `small${nth}.test`)
const hugePage = 'x'.repeat(900_000)
const smallPage = 'x'.repeat(400)
const pagesOfEach = 40

/** A host whose pages are huge and take a thread long, beside others; the budget has room for four of its pages. */
const crawlOf = (hosts: readonly string[]) =>
  simulate({
    job: {
      name: 'shared',
      seeds: hosts.flatMap(host => urlsOf(host, pagesOfEach)),
      item: { title: 'title' },
      limits: { delayMs: 0, rate: 'none', bodyBytes: '1MB', pageBudgetBytes: '4MB' },
    },
    hosts: host => ({
      latency: { kind: 'constant', ms: 50 },
      page: () => ({ status: 200, contentType: 'text/html', body: host === huge ? hugePage : smallPage }),
    }),
    parser: ({ clock, random }) =>
      createSimParser({
        clock,
        random,
        threads: 2,
        law: ({ finalUrl }) => ({ kind: 'constant', ms: finalUrl.includes(huge) ? 400 : 1 }),
      }),
  })

describe('a host with huge pages, beside a parser that is slow with them', async () => {
  const alone = await crawlOf(small)
  const beside = await crawlOf([huge, ...small])
  const endOf = ({ web }: typeof alone, host: string): number =>
    Math.max(...web.requestsOf(host).map(({ endedAtMs }) => endedAtMs ?? Number.POSITIVE_INFINITY))

  test('loses no page, and neither do the others', () => {
    expect(beside.report.ledger).toMatchObject({ done: pagesOfEach * (small.length + 1), failed: 0, pending: 0 })
    expect(adds(beside.report.ledger)).toBe(true)
  })

  test('is as slow as its parser lets it be, and does not make the others wait for it', () => {
    for (const host of small) {
      expect(endOf(beside, host)).toBeLessThan(2 * endOf(alone, host))
      expect(endOf(beside, host)).toBeLessThan(endOf(beside, huge) / 2)
    }
  })

  test('is no reason for any limiter to allow less', () => {
    const cuts = beside.report.hosts.flatMap(({ host, limitChanges }) =>
      limitChanges.filter(({ from, to }) => to < from).map(change => ({ host, ...change })),
    )
    expect(cuts).toEqual([])
  })
})
