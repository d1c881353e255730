import { listen } from '../core/events.ts'

/** What became of the pages of one rule. */
export interface PageReport {
  /** Name of the page rule. */
  readonly page: string
  readonly pages: number
  readonly items: number
  readonly links: number
  /** As they came, and decoded. */
  readonly bytesIn: number
  readonly decodedBytes: number
  /** How long threads were busy with them. */
  readonly cpuMs: number
  /** Pages that ended dead. */
  readonly failed: number
}

export interface PageTally extends Disposable {
  /** Those with the most pages first. */
  report(): readonly PageReport[]
}

type Counts = { -readonly [Key in keyof PageReport]: PageReport[Key] }

/** Gathers what the events of one run say, by page rule; changes nothing. */
export function gatherPageTally(run: string): PageTally {
  const tallies = new Map<string, Counts>()

  function of(page: string): Counts {
    const known = tallies.get(page)
    if (known !== undefined) return known
    const counts = { page, pages: 0, items: 0, links: 0, bytesIn: 0, decodedBytes: 0, cpuMs: 0, failed: 0 }
    tallies.set(page, counts)
    return counts
  }

  const listener = listen(run, {
    'page.parsed'({ task, items, links, bodyBytes, decodedBytes, cpuMs }) {
      const counts = of(task.page)
      counts.pages += 1
      counts.items += items
      counts.links += links
      counts.bytesIn += bodyBytes
      counts.decodedBytes += decodedBytes
      counts.cpuMs += cpuMs
    },
    'task.settled'({ task, fate }) {
      if (fate.kind === 'dead') of(task.page).failed += 1
    },
  })

  return {
    report: () =>
      [...tallies.values()]
        .map(counts => ({ ...counts, cpuMs: Math.round(counts.cpuMs * 10) / 10 }))
        .sort((left, right) => right.pages - left.pages),
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}
