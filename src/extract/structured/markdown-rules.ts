import { attribute, type DomNode, elementsIn, isNamed } from './dom-nodes.ts'
import type { MarkdownRule } from './library.ts'
import { tableRules } from './markdown-tables.ts'

/**
 * What Turndown leaves to plug-ins, and its list items: it asks each for its place among its siblings, which makes a list
 * of 50,000 take minutes. Everything here looks at the nodes next to a node only, or at all of them once.
 */

/** In capitals, as a DOM has them. Scripts and styles would be text. */
export const removedTags = new Set('SCRIPT STYLE TEMPLATE TITLE HEAD SVG svg CANVAS'.split(' '))

/** The numbers of a list's items, made when the first of them is asked for. */
const numbers = new WeakMap<DomNode, ReadonlyMap<DomNode, number>>()

function numberOf(item: DomNode, list: DomNode): number {
  let known = numbers.get(list)
  if (known === undefined) {
    const written = Number.parseInt(attribute(list, 'start') ?? '1', 10)
    const first = Number.isNaN(written) ? 1 : written
    known = new Map([...elementsIn(list)].map((element, index) => [element, first + index]))
    numbers.set(list, known)
  }
  return known.get(item) ?? 1
}

const listItem: MarkdownRule = {
  filter: 'li',
  replacement(content, node) {
    const list = node.parentNode
    const marker = list !== null && isNamed(list, 'OL') ? `${numberOf(node, list)}. ` : '- '
    // A tick box is followed by one space, whatever stands in the page.
    const text = content
      .replace(/^\n+/, '')
      .replace(/^(\[[ x]\])\s*/, '$1 ')
      .trimEnd()
    const indented = text.replace(/\n(?!\n)/g, `\n${' '.repeat(marker.length)}`)
    return `${marker}${indented}${node.nextSibling === null ? '' : '\n'}`
  },
}

const taskItem: MarkdownRule = {
  filter: node => isNamed(node, 'INPUT') && attribute(node, 'type') === 'checkbox' && isNamed(node.parentNode, 'LI'),
  replacement: (_, node) => (attribute(node, 'checked') === null ? '[ ]' : '[x]'),
}

const strikethrough: MarkdownRule = {
  filter: ['del', 's'],
  replacement: content => (content.trim() === '' ? content : `~~${content}~~`),
}

export const markdownRules: Readonly<Record<string, MarkdownRule>> = {
  listItem,
  taskItem,
  strikethrough,
  ...tableRules,
}
