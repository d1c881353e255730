import { attributesOf } from '../dom/attribute-store.ts'
import type { TreeElement, TreeParent } from '../dom/node.ts'
import { dataOf } from '../dom/text.ts'
import type { WholePage } from '../whole-page-field.ts'
import { walkBounded } from './bounded-walk.ts'
import type { DomDocument, DomElement } from './dom-nodes.ts'
import { domLibrary } from './library.ts'

/**
 * A page, or a part of it, as the DOM that libraries want. Made from the tree that all fields read, so `parser` decides
 * here too how the page is understood; nothing in it is run or loaded. Links and images have absolute URLs, and `javascript:`
 * leads nowhere.
 */

/**
 * Deeper than real pages nest, and low enough for what the libraries do at each level with all that is below it. Of
 * elements that are deeper, their texts, images and line breaks are left.
 */
const maxDepth = 128
const keptBelow = new Set(['img', 'br'])

const emptyPage = '<!doctype html><html><head></head><body></body></html>'

/** @param top all below it is copied */
export function domOf(page: WholePage, top: TreeParent): DomDocument {
  const { DOMParser } = domLibrary()
  const document = new DOMParser().parseFromString(emptyPage, 'text/html')
  const { documentElement, head, body } = document
  // Their own elements, which every DOM has by itself.
  const given: Readonly<Record<string, DomElement>> = { html: documentElement, head, body }
  walkBounded<DomElement>(top, top.type === 'root' ? documentElement : body, maxDepth, {
    element(element, parent, isTooDeep) {
      if (isTooDeep && !keptBelow.has(element.name)) return parent
      const own = Object.hasOwn(given, element.name) ? given[element.name] : undefined
      const copy = own ?? document.createElement(element.name)
      for (const [name, value] of attributesOf(element)) setAttribute(copy, element, name, value, page.baseUrl)
      // What stands outside of both is of the body, as in a browser.
      if (own === undefined)
        (parent === documentElement ? (headNames.has(element.name) ? head : body) : parent).append(copy)
      return copy
    },
    leaf(leaf, parent) {
      if (leaf.type !== 'text') return
      const text = dataOf(leaf)
      if (parent !== documentElement) parent.append(document.createTextNode(text))
      else if (text.trim() !== '') body.append(document.createTextNode(text))
    },
  })
  return document
}

const headNames = new Set('base link meta title script style'.split(' '))
const urlAttributes = new Set(['href', 'src'])

function setAttribute(
  copy: DomElement,
  { name: tag }: TreeElement,
  name: string,
  value: string,
  baseUrl: string,
): void {
  if (!urlAttributes.has(name) || tag === 'base') {
    copy.setAttribute(name, value)
    return
  }
  const url = URL.parse(value, baseUrl)
  if (url?.protocol === 'javascript:') return
  copy.setAttribute(name, url === null || value.startsWith('#') ? value : url.href)
}
