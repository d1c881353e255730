import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benchPage, bindingSentence } from '../../src/bench/bench-page.ts'
import type { BenchFigures, BenchRow } from '../../src/bench/figures.ts'
import { madePage } from '../../src/bench/made-page.ts'
import { roofsOf } from '../../src/bench/roofs.ts'
import { sweep } from '../../src/bench/sweep.ts'
import { hasBrowser, layoutOf, lookAt, openBrowser } from '../report/browser.ts'
import { row } from './row.ts'

const sweepOf = (
  threads: readonly number[],
  concurrency: readonly number[],
  sizes: readonly number[],
): BenchFigures => ({
  job: null,
  machine: { node: 'v24.0.0', cpu: 'A <b>processor</b>', cores: 2 },
  dials: { latencyMs: 20, capacity: 100, weight: 16, seconds: 1.5 },
  rows: sizes.flatMap(pageBytes =>
    threads.flatMap(count =>
      concurrency.map(inFlight =>
        row({
          threads: count,
          concurrency: inFlight,
          pageBytes,
          pagesPerSecond: Math.min(inFlight * 40, 240 * count),
          loopDelayMs: { p50: 0.2, p99: inFlight / 2, max: inFlight },
        }),
      ),
    ),
  ),
})

const figures = sweepOf([1, 2], [1, 4, 16, 64], [10_000, 100_000])

describe('the roofs of a bench', () => {
  const roofs = roofsOf([row({}), row({ concurrency: 8, cpuMs: { main: 0.4, workers: 5 }, requestMs: 30 })], figures)

  test('I/O gives as many pages as requests in flight end in their shortest time', () => {
    expect(roofs.io(8)).toBe(320)
  })

  test('a stage gives as many as its threads can by the least CPU of a page', () => {
    expect(roofs.parse).toBe(250)
    expect(roofs.mainThread).toBe(2_500)
    expect(roofs.cores).toBeCloseTo(2_000 / 4.8)
  })

  test('more threads than cores raise no roof', () => {
    expect(roofsOf([row({ threads: 8 })], figures).parse).toBe(500)
  })

  test('a server of some capacity has one too', () => {
    expect(roofs.server).toBe(5_000)
  })

  test('the lowest of them is named beside what was reached of it', () => {
    const rows = [row({}), row({ concurrency: 64, pagesPerSecond: 200 })]
    const sentence = bindingSentence(rows, row({ concurrency: 64, pagesPerSecond: 200 }), figures)
    expect(sentence).toBe('The lowest roof above that is parsing, at 250 pages a second: 80 % of it was reached.')
  })
})

describe('a page that is made', () => {
  test('has the size that is asked for, and is the same for the same number', () => {
    for (const bytes of [1_000, 10_000, 100_000, 1_000_000])
      for (const weight of [1, 16, 30]) {
        const page = madePage(bytes, weight, 3)
        expect(Math.abs(page.length - bytes) / bytes, `${bytes} bytes, weight ${weight}`).toBeLessThan(0.13)
        expect(page).toBe(madePage(bytes, weight, 3))
      }
  })

  test('has as many elements as its weight says', () => {
    const elements = (weight: number): number => (madePage(100_000, weight, 0).match(/<[a-z]/g) ?? []).length / 100
    expect(elements(1)).toBeCloseTo(1, 0)
    expect(elements(16)).toBeGreaterThan(14)
    expect(elements(30)).toBeGreaterThan(26)
  })
})

describe('the page of a bench', () => {
  test('stands alone, and shows what machines are called without doing it', () => {
    const html = benchPage(figures)
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|url\(|@import|\shref=|NaN|undefined|Infinity|<b>/i)
    expect(html.length).toBeLessThan(150_000)
  })

  test('says what binds at the best row, and what binds at each', () => {
    const html = benchPage(figures)
    expect(html).toContain('<section class="verdict" aria-label="Verdict"><p>The cores bind.</p>')
    expect(html.match(/<td class="text">cores<\/td>/g)).toHaveLength(16)
  })

  test('is whole with one row, and with none', () => {
    for (const threads of [[], [1]])
      expect(benchPage(sweepOf(threads, [4], [10_000]))).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('has each stage that took any time, and what was waited for before a request, by its cause', () => {
    const html = benchPage(figures)
    const heads = [...html.slice(html.indexOf('id="stages"')).matchAll(/<th scope="col"[^>]*>([^<]*)/g)]
    expect(heads.map(([, head]) => head)).toEqual([
      ...['setting', 'page', 'wait: host', 'wait: threads', 'connect', 'first byte', 'body', 'parse queue'],
      ...['decode', 'parse and extract', 'serialise', 'commit'],
    ])
  })

  test('marks each row by whether the main thread kept its bound', () => {
    const html = benchPage(figures)
    expect(html.match(/class="bad"/g)).toHaveLength(4)
    expect(html.match(/class="good"/g)).toHaveLength(12)
  })
})

describe.skipIf(!hasBrowser)('in a browser, the page of a bench', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  for (const colorScheme of ['light', 'dark'] as const)
    test(`can be read in the ${colorScheme}`, async () => {
      const { seen, complaints } = await lookAt(browser, benchPage(figures), { colorScheme }, layoutOf)
      expect(complaints).toEqual([])
      expect(seen).toMatchObject({ faint: [], clashing: [], unnamed: [] })
      // Of each size: throughput, loop delay, two roofs, stages, CPU.
      expect(seen.plots).toBe(12)
    })

  test('names the bound of the loop delay beside the unit of the axis, where every row keeps it', async () => {
    const { seen } = await lookAt(
      browser,
      benchPage(sweepOf([1], [1, 4], [10_000])),
      { colorScheme: 'light' },
      layoutOf,
    )
    expect(seen.clashing).toEqual([])
  })

  test('can be read with what a machine measures, too', async () => {
    const dials = { latencyMs: 2, capacity: null, weight: 16, seconds: 0.3 }
    const rows: BenchRow[] = []
    const options = { source: null, threads: [1], concurrency: [2, 8], pageBytes: [5_000], dials }
    for await (const measured of sweep(options)) rows.push(measured)
    const html = benchPage({ ...figures, dials, rows })
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
    const { seen, complaints } = await lookAt(browser, html, { colorScheme: 'light' }, layoutOf)
    expect(complaints).toEqual([])
    expect(seen).toMatchObject({ faint: [], clashing: [], unnamed: [], plots: 5 })
  }, 40_000)

  test('is no wider than a telephone', async () => {
    const { seen } = await lookAt(browser, benchPage(figures), { colorScheme: 'dark', width: 360 }, layoutOf)
    expect(seen.pageWidth).toBeLessThanOrEqual(360)
  })
})
