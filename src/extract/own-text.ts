import type { TreeNode } from './dom/node.ts'
import { dataOf } from './dom/text.ts'

/** The text that stands in a node itself, without that of its elements. */
export function ownTextOf(top: TreeNode): string {
  let text = ''
  for (let node = top.first; node !== null; node = node.next) if (node.type === 'text') text += dataOf(node)
  return text
}
