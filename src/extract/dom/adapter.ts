import type { Options } from 'css-select'
import type { AnyNode, Element } from 'domhandler'
import * as domUtils from 'domutils'
import { firstChild, isElement, nextNode, nextOutside } from './walk.ts'

function existsOne(test: (element: Element) => boolean, nodes: readonly AnyNode[]): boolean {
  for (const top of nodes)
    for (let node: AnyNode | null = top; node !== null; node = nextNode(node, top))
      if (isElement(node) && test(node)) return true
  return false
}

/** What `:contains` looks at: a line break counts as one, and the inside of a `<template>` does not count. */
function matchedText(top: AnyNode): string {
  if (top.type === 'text') return top.data
  let text = ''
  let node = top.type === 'root' ? null : firstChild(top)
  while (node !== null) {
    if (node.type === 'text') text += node.data
    else if (isElement(node) && node.name === 'br') text += '\n'
    node = node.type === 'root' ? nextOutside(node, top) : nextNode(node, top)
  }
  return text
}

/** How css-select sees our trees: domutils, with those parts replaced that call themselves once per level. */
export const adapter: NonNullable<Options<AnyNode, Element>['adapter']> = {
  isTag: isElement,
  existsOne,
  getText: matchedText,
  getAttributeValue: (element, name) => (Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined),
  hasAttrib: (element, name) => Object.hasOwn(element.attribs, name),
  getChildren: domUtils.getChildren,
  getName: element => element.name,
  getParent: node => node.parent,
  getSiblings: domUtils.getSiblings,
  prevElementSibling: domUtils.prevElementSibling,
  removeSubsets: domUtils.removeSubsets,
  findAll: domUtils.findAll,
  findOne: domUtils.findOne,
}
