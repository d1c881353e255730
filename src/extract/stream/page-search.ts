import type { PageView } from './page-view.ts'

/** Where something stands on a page, by its numbers. */

const greaterThan = 62

/** What is near is found at once. What is not, native code looks for, which compares many at once and has its price. */
const nearPlaces = 24

/** The place of the first such code from a place on, or -1. */
export function placeOf(code: number, { codes, length }: PageView, start: number): number {
  const near = Math.min(start + nearPlaces, length)
  for (let at = start; at < near; at += 1) if (codes[at] === code) return at
  if (near >= length) return -1
  const found = codes.indexOf(code, near)
  return found < length ? found : -1
}

/** The place of the first two such codes from a place on that have a ">" behind them, or -1. */
export function placeOfEnd(code: number, page: PageView, start: number): number {
  const { codes } = page
  let end = placeOf(greaterThan, page, start + 2)
  while (end >= 0 && (codes[end - 1] !== code || codes[end - 2] !== code)) end = placeOf(greaterThan, page, end + 1)
  return end < 0 ? -1 : end - 2
}

export const isWrittenAt = (written: readonly number[], { codes, length }: PageView, start: number): boolean =>
  start + written.length <= length && written.every((code, nth) => codes[start + nth] === code)
