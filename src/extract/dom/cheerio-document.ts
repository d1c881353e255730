import { type AnyNode, type Document, hasChildren, isTag } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import type { PageRule } from '../page-rule.ts'
import { createSerialiser } from './serialise.ts'

/** A page as a tree of the kind that cheerio works on, for user modules. The engines have a leaner one. */
export const parseCheerioDocument: Readonly<Record<PageRule['parser'], (html: string) => Document>> = {
  fast: html => parseDocument(html),
  browser: html => parse(html, { treeAdapter: adapter, scriptingEnabled: false }),
}

const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/** The markup of a node of such a tree and of what is below it, as the engines write it. */
export const { outerHtmlOf: cheerioHtmlOf } = createSerialiser<AnyNode>({
  first: node => (hasChildren(node) ? (node.children[0] ?? null) : null),
  next: node => node.next,
  parent: node => node.parent,
  tagOf: node => (isTag(node) ? node.name : null),
  // Trees of htmlparser2 know no namespaces: all of their elements count as HTML.
  isForeign: node => isTag(node) && (node.namespace ?? htmlNamespace) !== htmlNamespace,
  attributesOf: node =>
    isTag(node)
      ? Object.entries(node.attribs).map(([name, value]) => {
          const prefix = node['x-attribsPrefix']?.[name]
          return [prefix ? `${prefix}:${name}` : name, value] as const
        })
      : [],
  leafOf: node => (node.type === 'text' || node.type === 'comment' || node.type === 'directive' ? node : null),
})
