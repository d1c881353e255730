import { attributesOf } from './attribute-store.ts'
import { isElement, type TreeNode } from './node.ts'
import { dataOf } from './text.ts'

/**
 * HTML from a tree: "serialising HTML fragments" of the HTML standard (13.3) with scripting off, for the trees of both
 * parsers alike, so that `fast` and `browser` differ only where their trees do. Text stays in its own letters: only
 * `&`, `<`, `>`, `"` and the no-break space are escaped, and those only where the standard asks for it.
 *
 * Walks by links and never calls itself, since pages nest deeper than stacks.
 */
export interface Serialiser<Node> {
  /** The markup below a node. */
  innerHtmlOf(top: Node): string
  /** The markup of a node and of what is below it. */
  outerHtmlOf(node: Node): string
}

/** How nodes are looked at: ours, and those of cheerio. */
export interface NodeView<Node> {
  first(node: Node): Node | null
  next(node: Node): Node | null
  parent(node: Node): Node | null
  /** Null: no element. */
  tagOf(node: Node): string | null
  isForeign(element: Node): boolean
  attributesOf(element: Node): readonly (readonly [name: string, value: string])[]
  /** What a text, a comment or a directive says; null: it is another node. */
  leafOf(node: Node): { readonly type: 'text' | 'comment' | 'directive'; readonly data: string } | null
}

const voidTags = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)

/** Their text is not markup, so it is not escaped either. */
const rawTextTags = new Set('style script xmp iframe noembed noframes plaintext'.split(' '))

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
}
const escapeOf = (character: string): string => escapes[character] ?? character
const escapeText = (text: string): string => text.replace(/[&<>\u00a0]/g, escapeOf)
const escapeAttribute = (text: string): string => text.replace(/[&"\u00a0]/g, escapeOf)

export function createSerialiser<Node>(view: NodeView<Node>): Serialiser<Node> {
  const isOneOf = (tags: ReadonlySet<string>, node: Node | null): boolean => {
    const tag = node === null ? null : view.tagOf(node)
    return node !== null && tag !== null && tags.has(tag) && !view.isForeign(node)
  }

  const before = (node: Node): string => {
    const tag = view.tagOf(node)
    if (tag !== null) {
      const attributes = view.attributesOf(node).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
      return `<${tag}${attributes.join('')}>`
    }
    const leaf = view.leafOf(node)
    switch (leaf?.type) {
      case 'text':
        return isOneOf(rawTextTags, view.parent(node)) ? leaf.data : escapeText(leaf.data)
      case 'comment':
        return `<!--${leaf.data}-->`
      case 'directive':
        return `<${leaf.data}>`
      default:
        return ''
    }
  }

  const after = (node: Node): string => {
    const tag = view.tagOf(node)
    return tag === null || isOneOf(voidTags, node) ? '' : `</${tag}>`
  }

  const innerHtmlOf = (top: Node): string => {
    let html = ''
    let node = isOneOf(voidTags, top) ? null : view.first(top)
    while (node !== null) {
      html += before(node)
      const child = view.first(node)
      if (child !== null) {
        node = child
        continue
      }
      html += after(node)
      for (let next = view.next(node); next === null; next = view.next(node)) {
        node = view.parent(node)
        if (node === null || node === top) return html
        html += after(node)
      }
      node = view.next(node)
    }
    return html
  }

  return { innerHtmlOf, outerHtmlOf: node => before(node) + innerHtmlOf(node) + after(node) }
}

export const { innerHtmlOf, outerHtmlOf } = createSerialiser<TreeNode>({
  first: node => node.first,
  next: node => node.next,
  parent: node => node.parent,
  tagOf: node => (isElement(node) ? node.name : null),
  isForeign: node => isElement(node) && node.isForeign,
  attributesOf: node => (isElement(node) ? attributesOf(node) : []),
  leafOf: node => ('data' in node ? { type: node.type, data: dataOf(node) } : null),
})
