import { isElement, type TreeElement, type TreeNode } from './dom/node.ts'

/** Some elements, and then all that follow them as siblings, each once. */
export function nextSiblingsToo(elements: readonly TreeElement[]): readonly TreeElement[] {
  const all = new Set(elements)
  const followers = new Set<TreeNode>()
  // Behind one that is known, all others are known as well.
  for (const element of elements)
    for (let node = element.next; node !== null && !followers.has(node); node = node.next) {
      followers.add(node)
      if (isElement(node)) all.add(node)
    }
  return [...all]
}

/** Without what is below another one of them: each once, in the same order. */
export function withoutNested(elements: readonly TreeElement[]): readonly TreeElement[] {
  const members = new Set<TreeNode>(elements)
  if (members.size < 2) return elements
  /** Whether a node or one above it is a member, for all that has been climbed over. */
  const known = new Map<TreeNode, boolean>()
  const isInside = (start: TreeNode | null): boolean => {
    const path: TreeNode[] = []
    let isIn = false
    for (let node = start; node !== null; node = node.parent) {
      const before = known.get(node) ?? (members.has(node) ? true : undefined)
      path.push(node)
      if (before === undefined) continue
      isIn = before
      break
    }
    for (const node of path) known.set(node, isIn)
    return isIn
  }
  return [...new Set(elements)].filter(element => !isInside(element.parent))
}
