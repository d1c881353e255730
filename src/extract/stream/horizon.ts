import { codesOfName, isNameAt } from './name-codes.ts'
import { placeOf } from './page-search.ts'
import type { PageView } from './page-view.ts'

/**
 * Whether a page can still hold an element of some names. A head-only job has no end by itself: where a page has no
 * canonical link, one could still come in its last line. But no element comes without its tag, and to see that
 * "<link" does not come is far cheaper than to read.
 */
export interface Horizon {
  /** The place of the first tag from `start` on that may be of such a name, or -1. */
  next(page: PageView, start: number): number
}

const [slash, lessThan, greaterThan] = [47, 60, 62]

const isNameEnd = (code: number): boolean => code <= 32 || code === slash || code === greaterThan

export function createHorizon(tags: readonly string[]): Horizon {
  // Fields that look for the same are many.
  const names = [...new Set(tags)].map(codesOfName)
  const initials = new Uint8Array(256)
  for (const tag of tags) initials[tag.charCodeAt(0)] = 1
  const isBeyondAscii = names.some(name => name.length === 0)

  /** Where names may fold or have more than ASCII, all that begin alike are let through. */
  const isNamed = ({ codes, isFolding }: PageView, start: number): boolean =>
    isFolding ||
    isBeyondAscii ||
    names.some(name => isNameEnd(codes[start + name.length] ?? 0) && isNameAt(name, codes, start, name.length))

  return {
    next(page, start) {
      const { codes } = page
      let at = placeOf(lessThan, page, start)
      while (at >= 0) {
        const initial = (codes[at + 1] ?? 0) | 32
        if (initials[initial] === 1 && isNamed(page, at + 1)) return at
        at = placeOf(lessThan, page, at + 1)
      }
      return -1
    },
  }
}
