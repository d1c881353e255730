/**
 * A page as a tree: `fast` and `browser` both make these nodes, so that what reads them is written once. They are lean,
 * since making them is most of what a tree costs: links instead of lists of children, and an element knows where its
 * attributes are written instead of having them.
 */
export type TreeNode = TreeElement | TreeRoot | TreeLeaf
export type TreeParent = TreeElement | TreeRoot

/** Changed only while the tree is being built. */
interface Linked {
  parent: TreeParent | null
  prev: TreeNode | null
  next: TreeNode | null
  /** The first child. */
  first: TreeNode | null
}

interface Parent extends Linked {
  readonly name: string
  last: TreeNode | null
  /** The children as a list, once somebody has asked for it (`childrenOf`). */
  children: readonly TreeNode[] | null
  readonly attributes: AttributeStore
  /** Where the store has the attributes of this element. */
  readonly at: number
  /** Of SVG or MathML, as far as the parser tells them apart. */
  readonly isForeign: boolean
}

export interface TreeElement extends Parent {
  /** In lower case, but for some names of SVG. */
  readonly type: 'tag' | 'script' | 'style'
}

/** A page, or what is inside of a `<template>`. */
export interface TreeRoot extends Parent {
  readonly type: 'root'
}

export interface TreeLeaf extends Linked {
  readonly type: 'text' | 'comment' | 'directive'
  /** Of a text as it is written, until somebody asks for it (`dataOf`). */
  data: string
  /** How the references in it are still to be read. */
  coding: Coding
}

/** What the parsers make. */
export interface ParsedTree {
  readonly root: TreeRoot
  /** All elements in document order. */
  readonly elements: readonly TreeElement[]
}

/** See `text-log.ts`. */
type Coding = 0 | 1 | 2

/** The attributes of all elements of a page. An element has the index of its own. */
export type AttributeStore = PlacedAttributes | ListedAttributes

/**
 * Where they stand on the page. Most are never looked at: five numbers are all that is made of them. At the index of an
 * element is how many it has, and then, for each, where its name and value begin and end and how it is quoted. What
 * has none is at 0.
 */
export interface PlacedAttributes {
  readonly kind: 'places'
  readonly html: string
  /** Grows while the tree is being built. */
  places: Int32Array
  /** Values with references in them, once somebody has asked for them, by place. */
  readonly decoded: Map<number, string>
}

export interface ListedAttributes {
  readonly kind: 'lists'
  readonly lists: ListedAttribute[][]
}

export interface ListedAttribute {
  readonly name: string
  readonly value: string
  /** Of foreign attributes that are written with one (`xlink:href`). */
  readonly prefix?: string | undefined
}

export const placeSize = 5

const noAttributes: AttributeStore = { kind: 'lists', lists: [] }

export const createRoot = (): TreeRoot => parentOf('root', '', noAttributes, 0, false) as TreeRoot

export function createElement(
  name: string,
  attributes: AttributeStore = noAttributes,
  at = 0,
  isForeign = false,
): TreeElement {
  const type = name === 'script' || name === 'style' ? name : 'tag'
  return parentOf(type, name, attributes, at, isForeign) as TreeElement
}

/** One literal for all, and one for leaves: reading a node then meets two shapes at most. */
const parentOf = (
  type: TreeParent['type'],
  name: string,
  attributes: AttributeStore,
  at: number,
  isForeign: boolean,
): TreeParent =>
  ({
    type,
    name,
    parent: null,
    prev: null,
    next: null,
    first: null,
    last: null,
    children: null,
    attributes,
    at,
    isForeign,
  }) as TreeParent

export const createLeaf = (type: TreeLeaf['type'], data: string, coding: Coding = 0): TreeLeaf => ({
  type,
  data,
  coding,
  parent: null,
  prev: null,
  next: null,
  first: null,
})

export function append(parent: TreeParent, node: TreeNode): void {
  const { last } = parent
  node.parent = parent
  node.prev = last
  if (last === null) parent.first = node
  else last.next = node
  parent.last = node
}

export function insertBefore(parent: TreeParent, node: TreeNode, next: TreeNode): void {
  const { prev } = next
  node.parent = parent
  node.prev = prev
  node.next = next
  next.prev = node
  if (prev === null) parent.first = node
  else prev.next = node
}

export function detach(node: TreeNode): void {
  const { parent, prev, next } = node
  if (parent === null) return
  if (prev === null) parent.first = next
  else prev.next = next
  if (next === null) parent.last = prev
  else next.prev = prev
  node.parent = null
  node.prev = null
  node.next = null
}

export const isElement = (node: TreeNode): node is TreeElement =>
  node.type === 'tag' || node.type === 'script' || node.type === 'style'
