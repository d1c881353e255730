import type { AnyNode, Document, Element } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import type { PageRule } from '../page-rule.ts'
import { isElement, nextNode } from './walk.ts'

/**
 * One page as a tree, with its elements listed once: a selector over the whole page reads a list, and mostly the short
 * one of its tag name, instead of walking the tree again for each field.
 */
export interface Tree {
  readonly root: Document
  /** In document order. */
  readonly elements: readonly Element[]
  /** Those of a tag name, in document order. */
  named(tag: string): readonly Element[]
}

const none: readonly Element[] = []

const parsers: Readonly<Record<PageRule['parser'], (html: string) => Document>> = {
  fast: html => parseDocument(html),
  // With scripting on, all inside <noscript> would be one text, and lazy-loading pages keep their images there.
  browser: html => parse(html, { treeAdapter: adapter, scriptingEnabled: false }),
}

export function parseTree(html: string, parser: PageRule['parser']): Tree {
  const root = parsers[parser](html)
  const elements: Element[] = []
  const byTag = new Map<string, Element[]>()
  for (let node: AnyNode | null = root; node !== null; node = nextNode(node, root)) {
    if (!isElement(node)) continue
    elements.push(node)
    const alike = byTag.get(node.name)
    if (alike === undefined) byTag.set(node.name, [node])
    else alike.push(node)
  }
  return { root, elements, named: tag => byTag.get(tag) ?? none }
}
