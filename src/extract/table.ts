import type { JsonValue } from '../core/wire.ts'
import type { TreeNode } from './dom/node.ts'
import { addPair, pairsOf } from './pairs.ts'
import type { TableShape } from './schema.ts'
import { type TableCell, type TableRow, tableRows } from './table-cells.ts'

/**
 * A table as data.
 *
 * `rows`: an object per row, its keys the texts of the cells above it. Those are the rows of `<thead>`, or else the rows
 * at the top that have nothing but `<th>`; several above each other are one name ("Price EUR"). A column without a name
 * is called `column1` by its place; columns of the same name are a list. A cell that spans rows or columns stands in each.
 *
 * `pairs`: one object, from what each row begins with to what follows it. With several `<th>` in a row each begins anew.
 * Several values, and rows of the same name, are a list.
 */
export const tableOf = (element: TreeNode, shape: TableShape): JsonValue => {
  const rows = tableRows(element)
  return shape === 'rows' ? rowsOf(rows) : pairsOfRows(rows)
}

/** A hostile page may spread a cell over more places than memory has. */
const mostCells = 200_000
const mostColumns = 1_000

const isHeading = ({ cells }: TableRow): boolean => cells.every(({ isHeader }) => isHeader)

function headingCount(rows: readonly TableRow[]): number {
  const inHead = rows.findLastIndex(({ isInHead }) => isInHead) + 1
  if (inHead > 0) return inHead
  const firstOther = rows.findIndex(row => !isHeading(row))
  return firstOther < 0 ? rows.length : firstOther
}

function rowsOf(rows: readonly TableRow[]): JsonValue {
  const grid = spread(rows)
  const headings = headingCount(rows)
  const names = columnNames(grid.slice(0, headings))
  return grid.slice(headings).map(texts => {
    const pairs = new Map<string, string[]>()
    for (const [column, text] of texts.entries()) addPair(pairs, names[column] ?? `column${column + 1}`, text)
    return pairsOf(pairs)
  })
}

/** Texts by row and column. */
function spread(rows: readonly TableRow[]): string[][] {
  const grid: string[][] = rows.map(() => [])
  let room = mostCells
  for (const [top, { cells }] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (grid[top]?.[column] !== undefined) column += 1
      if (column >= mostColumns) break
      room = place(grid, cell, top, column, room)
    }
  }
  return grid.map(texts => Array.from(texts, text => text ?? ''))
}

function place(grid: string[][], cell: TableCell, top: number, left: number, room: number): number {
  const bottom = cell.rows === 0 ? grid.length : Math.min(top + cell.rows, grid.length)
  const right = Math.min(left + cell.columns, mostColumns)
  let rest = room
  for (let row = top; row < bottom; row += 1)
    for (let column = left; column < right; column += 1) {
      const isFirst = row === top && column === left
      if (!isFirst && rest <= 0) return rest
      rest -= 1
      const texts = grid[row]
      if (texts !== undefined) texts[column] ??= cell.text
    }
  return rest
}

function columnNames(headings: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...headings.map(({ length }) => length))
  return Array.from({ length: width }, (_, column) => {
    const parts = headings.map(texts => texts[column] ?? '')
    const name = parts.filter((part, index) => part !== '' && part !== parts[index - 1]).join(' ')
    return name === '' ? `column${column + 1}` : name
  })
}

function pairsOfRows(rows: readonly TableRow[]): JsonValue {
  const pairs = new Map<string, string[]>()
  for (const { cells } of rows) {
    const heads = cells.filter(({ isHeader }) => isHeader).length
    const isHead = ({ isHeader }: TableCell, index: number): boolean => (heads === 0 ? index === 0 : isHeader)
    // Nothing but heads: the first of them, and what it is the head of.
    const hasHeads = heads > 0 && heads < cells.length
    let name: string | null = null
    if (cells.length < 2) continue
    for (const [index, cell] of cells.entries()) {
      if (hasHeads ? isHead(cell, index) : index === 0) name = cell.text
      else if (name !== null) addPair(pairs, name, cell.text)
    }
  }
  return pairsOf(pairs)
}
