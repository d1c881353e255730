import { describe, expect, test } from 'vitest'
import type { Parser } from '../../src/parse/parser.ts'
import { createSimParser } from '../sim/parser.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const inFlight = 64
const threads = 2
const pages = 600
const answerMs = 100

/** One host that answers as fast whoever asks, and threads that take so long for a page. */
async function crawlOf(pageMs: number, status = 200) {
  let mostWaiting = 0
  let made: Parser | undefined
  const { report } = await simulate({
    job: {
      name: 'backlog',
      seeds: urlsOf('a.test', pages),
      item: { title: 'title' },
      robots: { ignoreFor: ['a.test'] },
      limits: { perHost: { policy: 'fixed', max: inFlight }, delayMs: 0, rate: 'none', inFlight },
    },
    hosts: () => ({
      latency: { kind: 'constant', ms: answerMs },
      page: () => ({ status, contentType: 'text/html', body: 'x' }),
    }),
    parser({ clock, random }) {
      made = createSimParser({
        clock,
        random,
        threads,
        law() {
          mostWaiting = Math.max(mostWaiting, made?.stats.waiting ?? 0)
          return { kind: 'constant', ms: pageMs }
        },
      })
      return made
    },
  })
  return { report, mostWaiting }
}

describe('threads that are slower than the answers', async () => {
  const { report, mostWaiting } = await crawlOf(50)

  test('have no more pages waiting than requests may be under way, and two tasks of small pages each', () => {
    expect(mostWaiting).toBeLessThanOrEqual(inFlight + threads * 32)
    // Far below what the page budget has room for.
    expect(mostWaiting).toBeGreaterThan(inFlight)
  })

  test('are never without work', () => {
    expect(report.durationMs).toBeLessThan((pages * 50) / threads + answerMs + 200)
    expect(report.ledger).toMatchObject({ done: pages, pending: 0 })
    expect(adds(report.ledger)).toBe(true)
  })

  test('are what is waited for, and what binds', () => {
    const { parse, pageBudget, inFlight } = report.stageTimes.wait
    expect(parse.totalMs).toBeGreaterThan(0.7 * report.durationMs)
    expect(pageBudget.totalMs + inFlight.totalMs).toBeLessThan(0.1 * parse.totalMs)
    expect(report.bottleneck.kind).toBe('parse')
    expect(report.bottleneck.evidence.waitedFor.parse).toBeGreaterThan(0.9)
  })
})

test('threads that are faster than the answers leave all places to requests', async () => {
  const { report, mostWaiting } = await crawlOf(1)
  expect(report.peakInFlight).toBe(inFlight)
  expect(report.stageTimes.wait.parse.count).toBe(0)
  expect(mostWaiting).toBeLessThanOrEqual(inFlight)
})

test('an answer that is no page takes no place before the threads', async () => {
  const { report } = await crawlOf(50, 404)
  expect(report.stageTimes.wait.parse.count).toBe(0)
  expect(report.ledger).toMatchObject({ failed: pages, pending: 0 })
})
