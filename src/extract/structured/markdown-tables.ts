import { attribute, type DomElement, type DomNode, elementsIn, isNamed } from './dom-nodes.ts'
import type { MarkdownRule } from './library.ts'

/**
 * Tables as GitHub writes them, their first row as the head that they must have. Those that are there for the layout,
 * of one column or with tables inside of them, are not written as tables: their cells are paragraphs.
 */

const isCell = (node: DomNode): boolean => isNamed(node, 'TD', 'TH')

function* rowsIn(table: DomNode): Generator<DomElement> {
  for (const element of elementsIn(table))
    if (isNamed(element, 'TR')) yield element
    else if (isNamed(element, 'THEAD', 'TBODY', 'TFOOT')) yield* rowsIn(element)
}

const hasColumns = (row: DomNode): boolean => [...elementsIn(row)].filter(isCell).length > 1

const known = new WeakMap<DomNode, boolean>()

function isData(table: DomElement): boolean {
  let answer = known.get(table)
  if (answer === undefined) {
    answer = table.querySelector('table') === null && rowsIn(table).some(hasColumns)
    known.set(table, answer)
  }
  return answer
}

/** From a row or a cell; a row stands in its table, or in a part of it. */
function isInData(node: DomNode): boolean {
  let at: DomNode | null = node
  while (at !== null && !isNamed(at, 'TABLE') && isNamed(at, 'TD', 'TH', 'TR', 'THEAD', 'TBODY', 'TFOOT'))
    at = at.parentNode
  return at !== null && isNamed(at, 'TABLE') && isData(at as DomElement)
}

const maxSpan = 100

function spanOf(cell: DomNode): number {
  const written = Number.parseInt(attribute(cell, 'colspan') ?? '1', 10)
  return written > 1 ? Math.min(written, maxSpan) : 1
}

const block = (content: string): string => (content.trim() === '' ? '' : `\n\n${content.trim()}\n\n`)

/** One line, and its bars are no borders. */
const cell: MarkdownRule = {
  filter: ['th', 'td'],
  replacement(content, node) {
    if (!isInData(node)) return block(content)
    const text = content
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replace(/(?<!\\)\|/g, '\\|')
    return `| ${text} ${'| '.repeat(spanOf(node) - 1)}`
  },
}

const row: MarkdownRule = {
  filter: 'tr',
  replacement(content, node) {
    if (!isInData(node)) return block(content)
    return content.trim() === '' ? '' : `\n${content.trim()} |\n`
  },
}

const part: MarkdownRule = { filter: ['thead', 'tbody', 'tfoot'], replacement: content => content }

const table: MarkdownRule = {
  filter: 'table',
  replacement(content, node) {
    if (!isData(node as DomElement)) return block(content)
    const lines = content.split('\n').filter(line => line.trim() !== '')
    const rows = lines.filter(line => line.startsWith('|'))
    const [head = '', ...others] = rows
    const caption = lines.filter(line => !line.startsWith('|')).join('\n')
    return `\n\n${caption}\n\n${[head, borderBelow(head), ...others].join('\n')}\n\n`
  },
}

const borderBelow = (head: string): string => `|${' --- |'.repeat((head.match(/(?<!\\)\|/g)?.length ?? 2) - 1)}`

export const tableRules: Readonly<Record<string, MarkdownRule>> = { cell, row, part, table }
