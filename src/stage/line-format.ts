import type { Item } from '../core/wire.ts'
import { type CsvRules, csvHeader, csvLine } from './csv.ts'
import { itemLine } from './item-lines.ts'

/** How items become bytes that can be appended to a file. Plain data that crosses to the workers. */
export type LineFormat = { readonly kind: 'jsonl' } | ({ readonly kind: 'csv' } & CsvRules)

const jsonLines: LineFormat = { kind: 'jsonl' }

const encoder = new TextEncoder()

/** Lines ready to append, in memory of their own that can be moved to another thread. */
export function linesOf(items: readonly Item[], format: LineFormat = jsonLines): Uint8Array<ArrayBuffer> {
  const lineOf = format.kind === 'csv' ? (item: Item) => csvLine(item, format) : (item: Item) => `${itemLine(item)}\n`
  return encoder.encode(items.map(lineOf).join(''))
}

/** What a file of such lines opens with. */
export const headOf = (format: LineFormat): Uint8Array | null =>
  format.kind === 'csv' ? encoder.encode(csvHeader(format)) : null
