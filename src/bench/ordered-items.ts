import { createHash } from 'node:crypto'

/** The lines of pages in an order that was settled before, whichever page is read first. */
export interface OrderedItems {
  /** What a page gives, if it counts. */
  read(nth: number, lines: Uint8Array, count: number): void
  /** It has ended, and its lines count or not. */
  ended(nth: number, isKept: boolean): void
  /** Those that have not ended have nothing. Afterwards nothing is taken. */
  finish(): { readonly items: number; readonly sha256: string }
}

interface Read {
  readonly lines: Uint8Array
  readonly count: number
}

/** @param total how many pages there are; their numbers begin with 0 */
export function createOrderedItems(total: number, write: (lines: Uint8Array) => void): OrderedItems {
  const reads = new Map<number, Read>()
  const ends = new Map<number, Read | null>()
  const hash = createHash('sha256')
  let items = 0
  let next = 0

  function give({ lines, count }: Read): void {
    hash.update(lines)
    write(lines)
    items += count
  }

  /** Up to the first that has not ended; @param isLast: past those */
  function advance(isLast: boolean): void {
    for (; next < total && (isLast || ends.has(next)); next += 1) {
      const read = ends.get(next) ?? null
      ends.delete(next)
      if (read !== null) give(read)
    }
  }

  return {
    read: (nth, lines, count) => void reads.set(nth, { lines, count }),
    ended(nth, isKept) {
      const read = reads.get(nth) ?? null
      reads.delete(nth)
      if (nth >= next) ends.set(nth, isKept ? read : null)
      advance(false)
    },
    finish() {
      advance(true)
      return { items, sha256: hash.digest('hex') }
    },
  }
}
