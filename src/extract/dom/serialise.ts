import type { AnyNode, Element } from 'domhandler'
import { firstChild, isElement } from './walk.ts'

/**
 * HTML from a tree: "serialising HTML fragments" of the HTML standard (13.3) with scripting off, for the trees of both
 * parsers alike, so that `fast` and `browser` differ only where their trees do. Text stays in its own letters: only
 * `&`, `<`, `>`, `"` and the no-break space are escaped, and those only where the standard asks for it.
 *
 * Walks by links and never calls itself, since pages nest deeper than stacks.
 */

const htmlNamespace = 'http://www.w3.org/1999/xhtml'

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

/** Trees of htmlparser2 know no namespaces: all of their elements count as HTML. */
const isHtml = (element: Element): boolean => (element.namespace ?? htmlNamespace) === htmlNamespace
const isVoid = (element: Element): boolean => voidTags.has(element.name) && isHtml(element)

function openTag(element: Element): string {
  let tag = `<${element.name}`
  for (const [name, value] of Object.entries(element.attribs)) {
    const prefix = element['x-attribsPrefix']?.[name]
    tag += ` ${prefix ? `${prefix}:` : ''}${name}="${escapeAttribute(value)}"`
  }
  return `${tag}>`
}

function before(node: AnyNode): string {
  switch (node.type) {
    case 'text': {
      const { parent } = node
      const isRaw = parent !== null && isElement(parent) && rawTextTags.has(parent.name) && isHtml(parent)
      return isRaw ? node.data : escapeText(node.data)
    }
    case 'comment':
      return `<!--${node.data}-->`
    case 'directive':
      return `<${node.data}>`
    case 'tag':
    case 'script':
    case 'style':
      return openTag(node)
    default:
      return ''
  }
}

const after = (node: AnyNode): string => (isElement(node) && !isVoid(node) ? `</${node.name}>` : '')

/** The markup below a node. */
export function innerHtmlOf(top: AnyNode): string {
  let html = ''
  let node = isElement(top) && isVoid(top) ? null : firstChild(top)
  while (node !== null) {
    html += before(node)
    const child = firstChild(node)
    if (child !== null) {
      node = child
      continue
    }
    html += after(node)
    while (node.next === null) {
      node = node.parent
      if (node === null || node === top) return html
      html += after(node)
    }
    node = node.next
  }
  return html
}

/** The markup of a node and of what is below it. */
export const outerHtmlOf = (node: AnyNode): string => before(node) + innerHtmlOf(node) + after(node)
