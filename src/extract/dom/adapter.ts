import type { Options } from 'css-select'
import { attributeOf, hasAttribute } from './attribute-store.ts'
import { isElement, type TreeElement, type TreeNode } from './node.ts'
import { dataOf } from './text.ts'
import { childrenOf, nextNode, nextOutside, previousElement } from './walk.ts'

type Test = (element: TreeElement) => boolean

/** Compiled forms never search a page by themselves, so these are not asked for. */
const unused = (): never => {
  throw new Error('not used')
}

function existsOne(test: Test, nodes: readonly TreeNode[]): boolean {
  for (const top of nodes)
    for (let node: TreeNode | null = top; node !== null; node = nextNode(node, top))
      if (isElement(node) && test(node)) return true
  return false
}

/** What `:contains` looks at: a line break counts as one, and the inside of a `<template>` does not count. */
function matchedText(top: TreeNode): string {
  if (top.type === 'text') return dataOf(top)
  let text = ''
  let node = top.type === 'root' ? null : top.first
  while (node !== null) {
    if (node.type === 'text') text += dataOf(node)
    else if (isElement(node) && node.name === 'br') text += '\n'
    node = node.type === 'root' ? nextOutside(node, top) : nextNode(node, top)
  }
  return text
}

/** Of a node at the top of nothing, itself. */
const siblingsOf = (node: TreeNode): TreeNode[] =>
  (node.parent === null ? [node] : childrenOf(node.parent)) as TreeNode[]

/** How css-select sees our trees. No part of it calls itself once per level. */
export const adapter: NonNullable<Options<TreeNode, TreeElement>['adapter']> = {
  isTag: isElement,
  existsOne,
  getText: matchedText,
  getAttributeValue: (element, name) => attributeOf(element, name) ?? undefined,
  hasAttrib: hasAttribute,
  // The lists are shared; css-select says that it may change them, and does not.
  getChildren: node => childrenOf(node) as TreeNode[],
  getName: element => element.name,
  getParent: node => node.parent,
  getSiblings: siblingsOf,
  prevElementSibling: previousElement,
  removeSubsets: unused,
  findAll: unused,
  findOne: unused,
}
