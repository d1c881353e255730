import type { JsonValue } from '../core/wire.ts'
import { isElement, type TreeNode } from './dom/node.ts'
import { textOf } from './dom/text.ts'
import { nextNode, nextOutside } from './dom/walk.ts'
import { collapse } from './fields/text.ts'
import { addPair, type Pairs, pairsOf } from './pairs.ts'

/**
 * A definition list as data: each `<dt>` to the text of its `<dd>`, or to a list where it has several. Several terms
 * above one another share what follows them. Lists inside of a definition are part of its text.
 */
export function definitionsOf(top: TreeNode): JsonValue {
  const pairs: Pairs = new Map()
  let terms: string[] = []
  let isAnswered = false
  let node: TreeNode | null = top
  while (node !== null) {
    const isPart: boolean = isElement(node) && node !== top && (node.name === 'dt' || node.name === 'dd')
    if (isPart && isElement(node)) {
      const text = collapse(textOf(node))
      if (node.name === 'dt') {
        terms = isAnswered ? [text] : [...terms, text]
        isAnswered = false
      } else {
        isAnswered = true
        for (const term of terms) addPair(pairs, term, text)
      }
    }
    node = isPart ? nextOutside(node, top) : nextNode(node, top)
  }
  return pairsOf(pairs)
}
