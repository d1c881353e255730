import { parseDocument } from 'htmlparser2'
import { innerHtmlOf, outerHtmlOf } from '../dom/serialise.ts'

/**
 * The markup of one element, written by the tree engine's own serialiser: from a tree of that element alone. A tag is met
 * in the same state wherever it stands, and what ends the element ends its piece of the page, so that the piece makes
 * the same tree as the whole page does. One thing is carried over: whether `/>` ends an element, which htmlparser2
 * keeps in a list of its own.
 */
export interface MarkupStart {
  /** Where the element's tag begins. */
  readonly start: number
  /** htmlparser2's list of foreign contexts before the element, the innermost last. */
  readonly foreign: readonly boolean[]
  readonly isOuter: boolean
}

/** Null: the context cannot be carried over (HTML inside of SVG). */
export function markupOf(html: string, { start, foreign, isOuter }: MarkupStart, end: number): string | null {
  const outermost = foreign.indexOf(true)
  // Below the first foreign one, the list says no wherever it is cut.
  const inside = outermost < 0 ? [] : foreign.slice(outermost)
  if (inside.includes(false)) return null
  // These end at once and leave their context behind.
  const { children } = parseDocument('<svg/>'.repeat(inside.length) + html.slice(start, end))
  const element = children[inside.length]
  if (element === undefined) return null
  return isOuter ? outerHtmlOf(element) : innerHtmlOf(element)
}
