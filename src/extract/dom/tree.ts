import type { PageRule } from '../page-rule.ts'
import { parseBrowserTree } from './browser-tree.ts'
import { parseFastTree } from './fast-tree.ts'
import type { ParsedTree, TreeElement, TreeRoot } from './node.ts'

/**
 * One page as a tree, with its elements listed once: a selector over the whole page reads a list, and mostly the short
 * one of its tag name, instead of walking the tree again for each field.
 */
export interface Tree {
  readonly root: TreeRoot
  /** In document order. */
  readonly elements: readonly TreeElement[]
  /** Those of a tag name, in document order. */
  named(tag: string): readonly TreeElement[]
  /** Some elements of this tree in document order. */
  inOrder(elements: readonly TreeElement[]): readonly TreeElement[]
}

const none: readonly TreeElement[] = []

const parsers: Readonly<Record<PageRule['parser'], (html: string) => ParsedTree>> = {
  fast: parseFastTree,
  browser: parseBrowserTree,
}

export function parseTree(html: string, parser: PageRule['parser']): Tree {
  const { root, elements } = parsers[parser](html)
  let byTag: Map<string, TreeElement[]> | null = null
  let places: Map<TreeElement, number> | null = null
  return {
    root,
    elements,
    named(tag) {
      byTag ??= Map.groupBy(elements, ({ name }) => name)
      return byTag.get(tag) ?? none
    },
    inOrder(some) {
      if (some.length < 2) return some
      places ??= new Map(elements.map((element, place) => [element, place]))
      const placeOf = places.get.bind(places)
      return some.toSorted((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0))
    },
  }
}
