import { attributesOf } from '../dom/attribute-store.ts'
import type { TreeElement, TreeLeaf, TreeRoot } from '../dom/node.ts'
import { dataOf } from '../dom/text.ts'
import { walkBounded } from './bounded-walk.ts'

/**
 * A tree as the XPath library looks at it: nodes with the names that a DOM gives to their properties, and attributes that
 * are nodes. As in lxml's trees of HTML, no name has a namespace, and what is inside of a `<template>` stands in it.
 */
export interface ViewNode {
  /** Of the DOM: 1 element, 2 attribute, 3 text, 8 comment, 9 document. */
  readonly nodeType: number
  readonly nodeName: string
  readonly localName: string
  readonly namespaceURI: null
  /** Of a text, a comment or an attribute. */
  readonly nodeValue: string | null
  readonly ownerDocument: ViewNode | null
  /** Of an attribute. */
  readonly ownerElement: ViewNode | null
  readonly parentNode: ViewNode | null
  readonly previousSibling: ViewNode | null
  nextSibling: ViewNode | null
  firstChild: ViewNode | null
  lastChild: ViewNode | null
  readonly attributes: ViewAttributes | null
  /** Place in the order of the page; attributes stand between their element and what follows. */
  readonly order: number
  /** Of the tree; null: an attribute. */
  readonly source: TreeRoot | TreeElement | TreeLeaf | null
}

export interface ViewAttributes {
  readonly length: number
  item(index: number): ViewNode | null
}

type Part = Partial<ViewNode> & Pick<ViewNode, 'nodeType' | 'nodeName' | 'order' | 'source'>

/** One literal for all, so that they have one shape. */
const createNode = (part: Part, parent: ViewNode | null): ViewNode => ({
  nodeType: part.nodeType,
  nodeName: part.nodeName,
  localName: part.nodeName,
  namespaceURI: null,
  nodeValue: part.nodeValue ?? null,
  ownerDocument: part.ownerDocument ?? null,
  ownerElement: part.ownerElement ?? null,
  parentNode: parent,
  previousSibling: parent?.lastChild ?? null,
  nextSibling: null,
  firstChild: null,
  lastChild: null,
  attributes: part.attributes ?? null,
  order: part.order,
  source: part.source,
})

/** As deep as libxml2 reads, which is what Scrapy's pages come from. */
const maxDepth = 256

export function viewOf(root: TreeRoot): ViewNode {
  const document = createNode({ nodeType: 9, nodeName: '#document', order: 0, source: root }, null)
  let order = 0
  const append = (parent: ViewNode, part: Omit<Part, 'order'>): ViewNode => {
    order += 1
    const node = createNode({ ...part, order, ownerDocument: document }, parent)
    if (parent.lastChild === null) parent.firstChild = node
    else parent.lastChild.nextSibling = node
    parent.lastChild = node
    return node
  }
  walkBounded<ViewNode>(root, document, maxDepth, {
    element(element, parent) {
      const attributes = createAttributes(element, () => node)
      const node = append(parent, { nodeType: 1, nodeName: element.name, attributes, source: element })
      return node
    },
    leaf(leaf, parent) {
      if (leaf.type === 'directive') return
      const [nodeType, nodeName] = leaf.type === 'text' ? [3, '#text'] : [8, '#comment']
      append(parent, { nodeType, nodeName, nodeValue: dataOf(leaf), source: leaf })
    },
  })
  return document
}

/** Made when first asked for, and the same ones from then on: nodes are told apart by their identity. */
function createAttributes(element: TreeElement, ownerOf: () => ViewNode): ViewAttributes {
  let made: readonly ViewNode[] | null = null
  const all = (): readonly ViewNode[] => {
    if (made !== null) return made
    const owner = ownerOf()
    const pairs = attributesOf(element)
    made = pairs.map(([nodeName, nodeValue], index) => {
      const order = owner.order + (index + 1) / (pairs.length + 1)
      const part = { nodeType: 2, nodeName, nodeValue, order, source: null, ownerElement: owner }
      return createNode({ ...part, ownerDocument: owner.ownerDocument }, null)
    })
    return made
  }
  return {
    get length() {
      return all().length
    },
    item: index => all()[index] ?? null,
  }
}

/** What follows a node and is not below it. */
export function nextOutside(node: ViewNode): ViewNode | null {
  let at: ViewNode | null = node
  while (at !== null && at.nextSibling === null) at = at.parentNode
  return at?.nextSibling ?? null
}
