import { breakOf, isVerbatim, unbroken } from '../line-breaks.ts'
import { isElement, type TreeNode } from './node.ts'
import { dataOf } from './text.ts'

/** The text of a node with a line break wherever a reader sees one. */

const isHiding = ({ type }: TreeNode): boolean => type === 'script' || type === 'style' || type === 'root'

const keepsLines = (node: TreeNode): boolean => isElement(node) && isVerbatim(node.name)

const breakAt = (node: TreeNode): string => (isElement(node) ? breakOf(node.name) : '')

/** What has been climbed over: of a page that nests deep, each match would climb to its top. */
const known = new WeakMap<TreeNode, boolean>()

function isInVerbatim(top: TreeNode): boolean {
  const path: TreeNode[] = []
  let isInside = false
  for (let node: TreeNode | null = top; node !== null; node = node.parent) {
    const before = known.get(node)
    isInside = before ?? keepsLines(node)
    if (before !== undefined) break
    path.push(node)
    if (isInside) break
  }
  for (const node of path) known.set(node, isInside)
  return isInside
}

/** @param wantsHidden scripts and styles too */
export function lineTextOf(top: TreeNode, wantsHidden: boolean): string {
  if (!wantsHidden && isElement(top) && top.type !== 'tag') return ''
  let text = ''
  let verbatim = isInVerbatim(top) ? 1 : 0
  let node = top.first
  while (node !== null) {
    if (node.type === 'text') text += verbatim > 0 ? dataOf(node) : unbroken(dataOf(node))
    else text += breakAt(node)
    if (node.first !== null && (wantsHidden || !isHiding(node))) {
      if (keepsLines(node)) verbatim += 1
      node = node.first
      continue
    }
    while (node !== null) {
      text += breakAt(node)
      if (node.next !== null) break
      node = node.parent === top ? null : node.parent
      if (node !== null && keepsLines(node)) verbatim -= 1
    }
    node = node?.next ?? null
  }
  return text
}

/** Only what stands in the node itself. */
export function ownLineTextOf(top: TreeNode): string {
  const read = isInVerbatim(top) ? (text: string): string => text : unbroken
  let text = ''
  for (let node = top.first; node !== null; node = node.next)
    text += node.type === 'text' ? read(dataOf(node)) : breakAt(node)
  return text
}
