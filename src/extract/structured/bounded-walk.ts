import { isElement, type TreeElement, type TreeLeaf, type TreeNode, type TreeParent } from '../dom/node.ts'

/**
 * A tree told to somebody who makes another one of it, never deeper than `maxDepth`: the libraries that read those call
 * themselves once a level. What is nested deeper stands at the last level instead, in the same order, as browsers do it
 * (at 512 levels); libxml2 ends a document at 255.
 */
export interface TreeListener<T> {
  /**
   * An element below `parent`.
   * @param isTooDeep it is nested deeper than allowed: whatever is made of it will have nothing in it
   * @returns what is made of it
   */
  element(element: TreeElement, parent: T, isTooDeep: boolean): T
  leaf(leaf: TreeLeaf, parent: T): void
}

export function walkBounded<T>(top: TreeParent, root: T, maxDepth: number, listener: TreeListener<T>): void {
  /** What is made of each open node; from the last level on, they share one. */
  const made: T[] = [root]
  let node: TreeNode | null = top.first
  while (node !== null) {
    const parent = made.at(-1) ?? root
    let inside: T | null = null
    if (isElement(node)) {
      const isTooDeep = made.length > maxDepth
      const own = listener.element(node, parent, isTooDeep)
      inside = isTooDeep ? parent : own
    } else if (node.type === 'root') inside = parent
    else listener.leaf(node, parent)
    if (inside !== null && node.first !== null) {
      made.push(inside)
      node = node.first
      continue
    }
    while (node !== null && node.next === null) {
      node = node.parent === top ? null : node.parent
      made.pop()
    }
    node = node?.next ?? null
  }
}
