import { listen } from '../core/events.ts'

/** What became of the pages of one rule. */
export interface PageReport {
  /** Name of the page rule. */
  readonly page: string
  readonly pages: number
  readonly items: number
  /** Items of pages that were read, that are not kept themselves, with a dead letter each; parts of a sitemap likewise. */
  readonly refused: number
  readonly links: number
  /** As they came, and decoded. */
  readonly bytesIn: number
  readonly decodedBytes: number
  /** How long threads were busy with them. */
  readonly cpuMs: number
  /** Pages that ended dead. */
  readonly failed: number
  /**
   * In which part of the items that were read, kept or not, each field had a value: 1 is in all of them, 0 in none. Empty
   * where there were no items, or a module read them.
   */
  readonly fields: Readonly<Record<string, number>>
}

export interface PageTally extends Disposable {
  /** Those with the most pages first. */
  report(): readonly PageReport[]
}

type Counts = { -readonly [Key in keyof Omit<PageReport, 'fields'>]: PageReport[Key] } & {
  /** Items that were read, and then those in which each field had a value. */
  filled: number[]
}

const round = (value: number, steps: number): number => Math.round(value * steps) / steps

/** What is nearly all is not all, and what is hardly any is not none. */
function shareOf(part: number, whole: number): number {
  if (part === 0 || part === whole) return part / whole
  return Math.min(0.999, Math.max(0.001, round(part / whole, 1_000)))
}

function fieldsOf([read = 0, ...counts]: readonly number[], names: readonly string[]): PageReport['fields'] {
  if (read === 0) return {}
  return Object.fromEntries(names.map((name, nth) => [name, shareOf(counts[nth] ?? 0, read)]))
}

/**
 * Gathers what the events of one run say, by page rule; changes nothing.
 * @param fieldNames those that are counted, by page rule
 */
export function gatherPageTally(run: string, fieldNames: ReadonlyMap<string, readonly string[]>): PageTally {
  const tallies = new Map<string, Counts>()

  function of(page: string): Counts {
    const known = tallies.get(page)
    if (known !== undefined) return known
    const nothing = { pages: 0, items: 0, refused: 0, links: 0, bytesIn: 0, decodedBytes: 0, cpuMs: 0, failed: 0 }
    const counts = { page, ...nothing, filled: [] }
    tallies.set(page, counts)
    return counts
  }

  const listener = listen(run, {
    'page.parsed'({ task, items, refused = 0, links, bodyBytes, decodedBytes, cpuMs, filled = [] }) {
      const counts = of(task.page)
      counts.pages += 1
      counts.items += items
      counts.refused += refused
      counts.links += links
      counts.bytesIn += bodyBytes
      counts.decodedBytes += decodedBytes
      counts.cpuMs += cpuMs
      for (const [nth, count] of filled.entries()) counts.filled[nth] = (counts.filled[nth] ?? 0) + count
    },
    'task.settled'({ task, fate }) {
      if (fate.kind === 'dead') of(task.page).failed += 1
    },
  })

  return {
    report: () =>
      [...tallies.values()]
        .map(({ filled, ...counts }) => ({
          ...counts,
          cpuMs: round(counts.cpuMs, 10),
          fields: fieldsOf(filled, fieldNames.get(counts.page) ?? []),
        }))
        .sort((left, right) => right.pages - left.pages),
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}
