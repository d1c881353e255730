import type { TrapKind, TrapReport } from '../core/trap.ts'
import type { TrapRules } from './crawl-rules.ts'
import { patternOf, type Row, shapeTrapOf } from './trap.ts'

/**
 * Decides when a row of URLs is endless. A row is followed up to `perPattern` URLs. Then its pages are looked at: where
 * nine of ten said what one of the row had said before, numbers aside, it is a trap, and none of its URLs is followed any
 * more. Otherwise it may go on for as many again, and is looked at again. A calendar ends in any case at twenty times
 * that: what it says of the year 2100 may be as random as it likes.
 */
export interface TrapWatch {
  /** What a link is; null: no trap, and counted as one that is followed. */
  judge(url: URL): TrapKind | null
  /** A page was read. @param row what it has in common with those that differ from it by numbers alone */
  read(url: URL, row: string): void
  report(): readonly TrapReport[]
}

interface RowState {
  followed: number
  /** At how many of them it is looked at next. */
  untilFollowed: number
  readCount: number
  repeated: number
  /** What its last different pages have in common with their like. */
  readonly said: Set<string>
}

const repeatedShare = 0.9
/** Fewer pages prove nothing. */
const leastRead = 20
const calendarTimes = 20
/** Bounds of memory: rows, different pages of a row, traps that are told one by one. */
const mostRows = 20_000
const mostSaid = 32
const mostTraps = 1_000

function forgetOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size <= most) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}

export function createTrapWatch({ perPattern }: TrapRules): TrapWatch {
  /** Those that were met last come last. */
  const rows = new Map<string, RowState>()
  const traps = new Map<string, { readonly kind: TrapKind; urls: number; readonly example: string }>()

  function rowOf(pattern: string): RowState {
    const known = rows.get(pattern)
    const row = known ?? { followed: 0, untilFollowed: perPattern, readCount: 0, repeated: 0, said: new Set() }
    rows.delete(pattern)
    rows.set(pattern, row)
    forgetOldest(rows, mostRows)
    return row
  }

  function trapped(kind: TrapKind, pattern: string, url: URL): TrapKind {
    const known = traps.get(pattern)
    if (known !== undefined) known.urls += 1
    else if (traps.size < mostTraps) traps.set(pattern, { kind, urls: 1, example: url.href })
    return kind
  }

  function isEndless(row: RowState, { kind }: Row): boolean {
    if (row.followed < row.untilFollowed) return false
    if (kind === 'calendar' && row.followed >= calendarTimes * perPattern) return true
    // Too few were read to tell: their links came all at once, from pages that end.
    if (row.readCount >= Math.min(leastRead, perPattern) && row.repeated >= repeatedShare * row.readCount) return true
    row.untilFollowed += perPattern
    row.readCount = 0
    row.repeated = 0
    return false
  }

  return {
    judge(url) {
      const shape = shapeTrapOf(url)
      if (shape !== null) return trapped(shape, `${url.host}/${url.pathname.split('/')[1] ?? ''}/...`, url)
      const found = patternOf(url)
      if (found === null) return null
      if (traps.get(found.pattern) !== undefined) return trapped(found.kind, found.pattern, url)
      const row = rowOf(found.pattern)
      if (isEndless(row, found)) return trapped(found.kind, found.pattern, url)
      row.followed += 1
      return null
    },
    read(url, said) {
      const found = patternOf(url)
      if (found === null) return
      const row = rowOf(found.pattern)
      row.readCount += 1
      if (row.said.has(said)) row.repeated += 1
      row.said.add(said)
      forgetOldest(row.said, mostSaid)
    },
    report: () =>
      [...traps].map(([pattern, trap]) => ({ pattern, ...trap })).sort((left, right) => right.urls - left.urls),
  }
}
