import { attributeOf } from './dom/attribute-store.ts'
import { isElement, type TreeElement, type TreeNode } from './dom/node.ts'
import { textOf } from './dom/text.ts'
import { nextNode, nextOutside } from './dom/walk.ts'
import { collapse } from './fields/text.ts'

/** A row of a table as it is written, before any cell is spread. */
export interface TableRow {
  readonly cells: readonly TableCell[]
  readonly isInHead: boolean
}

export interface TableCell {
  readonly text: string
  readonly isHeader: boolean
  readonly columns: number
  /** 0: to the end of the table. */
  readonly rows: number
}

/** As the HTML standard bounds them. */
const mostColumns = 1_000
const mostRows = 65_534

function spanOf(element: TreeElement, name: string, most: number): number {
  const digits = /^\s*\+?(\d+)/.exec(attributeOf(element, name) ?? '')?.[1]
  return digits === undefined ? 1 : Math.min(Number(digits), most)
}

/** Without that of cells which are only inside of it because htmlparser2 has let no `<th>` end a `<td>`. */
function cellText(cell: TreeElement): string {
  let text = ''
  let node: TreeNode | null = cell.first
  while (node !== null) {
    const isTable = isElement(node) && node.name === 'table'
    const isPart = isElement(node) && partTags.has(node.name)
    if (isTable || node.type === 'text') text += textOf(node)
    node = isTable || isPart ? nextOutside(node, cell) : nextNode(node, cell)
  }
  return collapse(text)
}

const partTags: ReadonlySet<string> = new Set(['td', 'th', 'tr'])

const cellOf = (element: TreeElement): TableCell => ({
  text: cellText(element),
  isHeader: element.name === 'th',
  columns: Math.max(1, spanOf(element, 'colspan', mostColumns)),
  rows: spanOf(element, 'rowspan', mostRows),
})

/** The next node, and of another table only the one behind it. */
function nextOfSame(node: TreeNode, top: TreeNode): TreeNode | null {
  return isElement(node) && node.name === 'table' && node !== top ? nextOutside(node, top) : nextNode(node, top)
}

/** What holds the rows: the element itself, or the first table in it where it is none and has no row of its own. */
function holderOf(top: TreeNode): TreeNode {
  for (let node: TreeNode | null = top; node !== null; node = nextNode(node, top)) {
    if (!isElement(node)) continue
    if (node.name === 'table') return node
    if (node.name === 'tr') return top
  }
  return top
}

/** The rows of a table, without those of tables inside of its cells. */
export function tableRows(element: TreeNode): TableRow[] {
  const top = holderOf(element)
  const rows: { cells: TableCell[]; isInHead: boolean }[] = []
  for (let node: TreeNode | null = top; node !== null; node = nextOfSame(node, top)) {
    if (!isElement(node)) continue
    // What is round the element is none of its business.
    if (node.name === 'tr') rows.push({ cells: [], isInHead: node !== top && isHead(node.parent) })
    else if (node.name === 'th' || node.name === 'td') rows.at(-1)?.cells.push(cellOf(node))
  }
  return rows.filter(({ cells }) => cells.length > 0)
}

const isHead = (node: TreeNode | null): boolean => node !== null && isElement(node) && node.name === 'thead'
