import { describe, expect, test } from 'vitest'
import {
  boundOf,
  type Contest,
  cellsOf,
  checksOf,
  goalsOf,
  names,
  type Round,
  sectionOf,
} from '../../bench/peers-figures.ts'

const round = (changes: Partial<Round>): Round => ({
  items: 1_000,
  cpuMs: 2_000,
  wallMs: 1_000,
  rssMb: 300,
  loopDelayMs: 4,
  peak: 64,
  ...changes,
})

const contestOf = (rounds: Readonly<Record<string, readonly Round[]>>, heldPeak = 64): Contest => ({
  pages: 1_000,
  concurrency: 64,
  contestants: Object.entries(rounds).map(([name, each]) => ({
    name,
    rounds: each,
    heldPeak: each.some(({ peak }) => peak !== null) ? heldPeak : null,
    agreement: 1,
  })),
})

const contest = contestOf({
  [names.millrace]: [round({}), round({ cpuMs: 1_000 }), round({ cpuMs: 4_000 })],
  [names.crawlee]: [round({ cpuMs: 16_000 }), round({ cpuMs: 9_000 }), round({ cpuMs: 20_000, rssMb: 1_000 })],
  [names.bareFetch]: [1, 2, 3].map(() => round({ cpuMs: 500 })),
  [names.bareParse]: [1, 2, 3].map(() => round({ cpuMs: 1_500, peak: null, loopDelayMs: null })),
})
const failing = (given: Contest): readonly string[] =>
  checksOf(given).flatMap(({ name, value, atLeast = 0, atMost = Number.POSITIVE_INFINITY }) =>
    value < atLeast || value > atMost ? [name] : [],
  )

describe('the goals beside peers', () => {
  test('are ratios of the same round, and their median counts', () => {
    const [perCpuSecond, overBare, memory] = goalsOf(contest)
    expect(perCpuSecond?.values).toEqual([8, 9, 5])
    expect(perCpuSecond === undefined ? null : boundOf(perCpuSecond)).toMatchObject({ value: 8, atLeast: 8 })
    expect(overBare?.values).toEqual([1, 0.5, 2])
    expect(memory?.values).toEqual([1, 1, 0.3])
  })

  test('leave out whoever was not there', () => {
    expect(goalsOf(contest).map(({ what }) => what)).toEqual([
      "pages per CPU-second, over Crawlee's",
      'CPU of a page, over the bare minimum',
      "peak memory, over Crawlee's",
    ])
  })

  test('that are missed are bold in the docs', () => {
    const section = sectionOf(contest, 'three rounds:')
    expect(section).toContain("| pages per CPU-second, over Crawlee's | 8.0 (5.0 to 9.0) | ≥ 8 |")
    expect(section).toContain("| peak memory, over Crawlee's | **1.00 (0.30 to 1.00)** | ≤ 0.5 |")
  })
})

describe('a row of the table', () => {
  test('has the median with the least and the most, and nothing where there is nothing to say', () => {
    const rows = new Map(cellsOf(contest))
    const ours = ['500 (250 to 1000)', '1000', '300', '4.0', '1.00 (0.50 to 2.00)', '64', '64', '100.0 %']
    expect(rows.get(names.millrace)).toEqual(ours)
    expect(rows.get(names.bareParse)).toEqual(['667', '1000', '300', '-', '0.75', '-', '-', '100.0 %'])
  })
})

describe('that all did the same', () => {
  test('is so where each gave an item for each page, and had as many requests under way as it was told', () => {
    expect(failing(contest)).toEqual([])
  })

  test('a contestant that asks for more at once than it was told is found out', () => {
    expect(failing(contestOf({ [names.scrapy]: [round({ peak: 16 }), round({ peak: 65 })] }))).toEqual([
      'Scrapy: most requests at once in a round',
    ])
  })

  test('a contestant that never has as many under way as it was told is found out', () => {
    expect(failing(contestOf({ [names.scrapy]: [round({ peak: 16 })] }, 16))).toEqual([
      'Scrapy: requests at once where the server waits for them',
    ])
  })

  test('a contestant that lost a page in one round is found out', () => {
    expect(failing(contestOf({ [names.crawlee]: [round({}), round({ items: 999 })] }))).toEqual([
      'Crawlee CheerioCrawler: rounds without an item for each of 1000 pages',
    ])
  })
})
