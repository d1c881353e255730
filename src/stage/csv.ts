import type { Item, JsonValue } from '../core/wire.ts'
import { type Column, valueAt } from './columns.ts'
import { itemLine } from './item-lines.ts'

/**
 * Items as CSV (RFC 4180): cells apart by commas, quoted where they must be with quotes doubled, lines ended by CR LF, one
 * header. Null is an empty cell and an empty text is `""`. Lists and objects are JSON in a cell.
 *
 * A spreadsheet takes a cell that opens with one of `= + - @`, a tab or a line break for a formula and runs it, and pages of
 * strangers are what these cells come from. So a text that opens like that has an apostrophe put before it, which a
 * spreadsheet shows as text (OWASP, "CSV Injection"); the header too. Numbers are no texts: -3.5 stays -3.5, also where
 * it is text that is nothing but a number.
 */
export interface CsvRules {
  readonly columns: readonly Column[]
  /** False: texts are written as they are, for readers that run no formulas. */
  readonly guard: boolean
}

/** Full-width forms are taken for the others in some locales. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** Beside what the RFC names, what readers trim, or take for a separator when they guess. */
const mustQuote = /[",;\t\r\n]|^ | $/

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

export function csvText(text: string, guard: boolean): string {
  const safe = guard && formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return safe === '' || mustQuote.test(safe) ? quoted(safe) : safe
}

function cellOf(value: JsonValue, guard: boolean): string {
  if (value === null) return ''
  if (typeof value === 'string') return csvText(value, guard)
  if (typeof value === 'object') return quoted(itemLine(value as Item))
  return String(value)
}

export const csvHeader = ({ columns, guard }: CsvRules): string =>
  `${columns.map(({ name }) => csvText(name, guard)).join(',')}\r\n`

export function csvLine(item: Item, { columns, guard }: CsvRules): string {
  const cells = columns.map(column => cellOf(valueAt(item, column), guard))
  // A line of one empty cell would be an empty line, which most readers pass over.
  return `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(',')}\r\n`
}
