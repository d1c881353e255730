import type { AnyNode, Element } from 'domhandler'

/**
 * Document order by the links between nodes. Neither recursion nor a stack, so that a page may nest as deep as it
 * likes: cheerio and domutils overflow at some 5,000 levels, and their `find` shifts a stack as long as the depth.
 */

export const isElement = (node: AnyNode): node is Element =>
  node.type === 'tag' || node.type === 'script' || node.type === 'style'

export const firstChild = (node: AnyNode): AnyNode | null => ('children' in node ? (node.children[0] ?? null) : null)

/** The next node that is not below `node`, or null at the end of what is below `top`. */
export function nextOutside(node: AnyNode, top: AnyNode | null): AnyNode | null {
  let at: AnyNode | null = node
  while (at !== null && at !== top) {
    if (at.next !== null) return at.next
    at = at.parent
  }
  return null
}

/** The next node in document order, or null at the end of what is below `top`. */
export const nextNode = (node: AnyNode, top: AnyNode | null): AnyNode | null =>
  firstChild(node) ?? nextOutside(node, top)
