import { parseFastTree } from '../dom/fast-tree.ts'
import { isElement, type TreeElement } from '../dom/node.ts'
import { childrenOf } from '../dom/walk.ts'
import type { PageView } from './page-view.ts'

/**
 * One element as the tree that the tree engine would have of it: made of that element alone, for its markup and for what
 * else cannot be told from tokens. A tag is met in the same state wherever it stands, and what ends the element ends its
 * piece of the page, so that the piece makes the same tree as the whole page does. One thing is carried over: whether
 * `/>` ends an element, which htmlparser2 keeps in a list of its own.
 */
export interface MarkupStart {
  /** Where the element's tag begins. */
  readonly start: number
  /** htmlparser2's list of foreign contexts before the element, the innermost last. */
  readonly foreign: readonly boolean[]
}

/** Null: the context cannot be carried over (HTML inside of SVG). */
export function elementOf(page: PageView, { start, foreign }: MarkupStart, end: number): TreeElement | null {
  const outermost = foreign.indexOf(true)
  // Below the first foreign one, the list says no wherever it is cut.
  const inside = outermost < 0 ? [] : foreign.slice(outermost)
  if (inside.includes(false)) return null
  // These end at once and leave their context behind.
  const { root } = parseFastTree('<svg/>'.repeat(inside.length) + page.slice(start, end))
  const element = childrenOf(root)[inside.length]
  return element !== undefined && isElement(element) ? element : null
}
