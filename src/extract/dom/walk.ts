import { isElement, type TreeElement, type TreeNode } from './node.ts'

/**
 * Document order by the links between nodes. Neither recursion nor a stack, so that a page may nest as deep as it
 * likes: cheerio and domutils overflow at some 5,000 levels, and their `find` shifts a stack as long as the depth.
 */

/** The next node that is not below `node`, or null at the end of what is below `top`. */
export function nextOutside(node: TreeNode, top: TreeNode | null): TreeNode | null {
  let at: TreeNode | null = node
  while (at !== null && at !== top) {
    if (at.next !== null) return at.next
    at = at.parent
  }
  return null
}

/** The next node in document order, or null at the end of what is below `top`. */
export const nextNode = (node: TreeNode, top: TreeNode | null): TreeNode | null => node.first ?? nextOutside(node, top)

const none: readonly TreeNode[] = []

/** The children as a list, made anew: for as long as the tree is being built. */
export function listChildren(node: TreeNode): TreeNode[] {
  const children: TreeNode[] = []
  for (let child = node.first; child !== null; child = child.next) children.push(child)
  return children
}

/** The children as a list, which is made once. */
export function childrenOf(node: TreeNode): readonly TreeNode[] {
  if (!('children' in node)) return none
  node.children ??= node.first === null ? none : listChildren(node)
  return node.children
}

export function previousElement(node: TreeNode): TreeElement | null {
  let { prev } = node
  while (prev !== null && !isElement(prev)) ({ prev } = prev)
  return prev
}
