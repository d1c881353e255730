import { describe, expect, test } from 'vitest'
import type { RunProfile } from '../../src/analyse/run-profile.ts'
import type { BenchRow, Dials } from '../../src/bench/figures.ts'
import { bestOf, type MeasuredRow, otherCoresOf, verdictOf } from '../../src/bench/row-verdict.ts'
import { calm, noWaits } from '../analyse/profile.ts'
import { row } from './row.ts'

const dials: Dials = { latencyMs: 20, capacity: null, weight: 16, seconds: 1.5 }

/** A second of a row: a request takes 25 ms, a page 0.5 ms of the main thread and 0.3 ms of the server. */
interface Second {
  readonly pages: number
  readonly threads: number
  readonly concurrency: number
  readonly parseMs: number
  readonly cores: number
  /** That neither the row nor its server uses. */
  readonly otherCores?: number
  /** By the URL that was next, all the time. */
  readonly waitedFor?: keyof RunProfile['waitMs']
}

function secondOf(second: Second): MeasuredRow {
  const { pages, threads, concurrency, parseMs, cores, otherCores = 0, waitedFor = 'hostSlot' } = second
  const [mainMs, serverMs, requestMs] = [0.5, 0.3, 25]
  const profile: RunProfile = {
    ...calm,
    ...{ durationMs: 1_000, pages, threads, cores, foreignCores: (pages * serverMs) / 1000 + otherCores },
    ...{ mainCpuMs: pages * mainMs, cpuMs: pages * (mainMs + parseMs), parseBusyMs: pages * parseMs },
    ...{ parseQueueMs: pages, requestMs: pages * requestMs, inFlightBound: concurrency },
    hostFullness: (pages * requestMs) / 1000 / concurrency,
    ...{ commitMs: pages * 10, sinkWrites: 20, sinkBusyMs: 40, waitMs: { ...noWaits, [waitedFor]: 1_000 } },
  }
  return row({
    ...{ threads, concurrency, pageBytes: 10_000, pages, pagesPerSecond: pages, profile },
    ...{ cpuMs: { main: mainMs, workers: parseMs }, serverCpuMs: serverMs },
  })
}

const ioBound: Second = { pages: 150, threads: 1, concurrency: 4, parseMs: 1, cores: 4 }
const parseBound: Second = {
  ...{ pages: 200, threads: 1, concurrency: 16, parseMs: 4.8, cores: 4 },
  waitedFor: 'parse',
}

describe('what binds a row', () => {
  test('is parsing where the threads are busy, and one more would help', () => {
    const { bottleneck, whatIf } = verdictOf(secondOf(parseBound), dials)
    expect(bottleneck.kind).toBe('parse')
    expect(bottleneck.sentence).toMatch(
      /^Parsing binds at 200 pages\/s of 10 kB \(1 thread, 16 in flight\): threads 96 % busy, main thread 10 %, server 6 %, all cores 28 %, 5 of 16 requests under way on average; one thread more would give about \+\d\d+ %, twice the requests in flight nothing\.$/,
    )
    const [thread, twice] = whatIf
    expect(thread?.change).toBe('threads: 2')
    expect(thread?.gain).toBeGreaterThan(0.6)
    expect(thread?.gain).toBeLessThanOrEqual(1)
    expect(thread?.pagesPerSecond).toBeCloseTo(200 * (1 + (thread?.gain ?? 0)))
    expect(twice).toMatchObject({ change: 'requests in flight: 32', gain: 0 })
  })

  test('is I/O where as many requests are under way as may be, and twice as many would help', () => {
    const { bottleneck, whatIf } = verdictOf(secondOf(ioBound), dials)
    expect(bottleneck.kind).toBe('in-flight')
    expect(bottleneck.sentence).toMatch(
      /^I\/O binds .* one thread more would give nothing, twice the requests in flight about \+\d+ %\.$/,
    )
    expect(whatIf[1]?.gain).toBeGreaterThan(0.8)
  })

  test('is the cores where the row and its server use them up: neither a thread nor a request would help', () => {
    const { bottleneck, whatIf } = verdictOf(secondOf({ ...parseBound, pages: 350, threads: 2, cores: 2 }), dials)
    expect(bottleneck.kind).toBe('cores')
    expect(bottleneck.sentence).toMatch(/^The cores bind .* all cores 98 %.* nothing, .* nothing\.$/)
    for (const { gain } of whatIf) expect(gain).toBeLessThan(0.05)
  })

  test('leaves room for what the server takes more of the same cores when more is asked of it', () => {
    const [thread] = verdictOf(secondOf({ ...parseBound, cores: 2 }), dials).whatIf
    // 1.12 of 2 cores are used: 0.96 of them by parsing, 0.06 by the server.
    expect(thread?.gain).toBeCloseTo(2 / 1.12 - 1, 1)
  })

  test('is not the cores where others take them: a row gets its share', () => {
    const row = secondOf({ ...ioBound, otherCores: 3.9 })
    expect(otherCoresOf(row)).toBeCloseTo(3.9)
    const { kind, sentence } = verdictOf(row, dials).bottleneck
    expect(kind).toBe('in-flight')
    expect(sentence).toContain('under way on average, other work took 3.9 of 4 cores; one thread more')
  })

  test('is the cores where others take most of them, and nothing else is near its end', () => {
    const slowed: Second = { ...ioBound, threads: 2, concurrency: 16, pages: 170, parseMs: 4.5, cores: 2 }
    expect(verdictOf(secondOf({ ...slowed, otherCores: 1.3 }), dials).bottleneck.kind).toBe('cores')
    expect(verdictOf(secondOf(slowed), dials).bottleneck.kind).toBe('network')
  })

  test('is the server where it works at as many requests as it can, though more may be under way', () => {
    const { bottleneck, whatIf } = verdictOf(secondOf(ioBound), { ...dials, capacity: 3 })
    expect(bottleneck).toMatchObject({ kind: 'server', evidence: { serverBusy: 1 } })
    for (const { gain } of whatIf) expect(gain).toBe(0)
  })

  test('is not guessed from a row without a page', () => {
    const { bottleneck, whatIf } = verdictOf({ ...secondOf({ ...ioBound, pages: 0 }), pages: 0 }, dials)
    expect(bottleneck.sentence).toMatch(/^No page was read/)
    expect(whatIf).toEqual([])
  })
})

test('the best row has the most pages a second', () => {
  const rows: readonly BenchRow[] = [10, 30, 20].map(pagesPerSecond => row({ pagesPerSecond }))
  expect(bestOf(rows)?.pagesPerSecond).toBe(30)
  expect(bestOf([])).toBeNull()
})
