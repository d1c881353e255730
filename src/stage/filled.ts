import type { Item, JsonValue } from '../core/wire.ts'
import type { Reading } from '../extract/engine.ts'
import type { PageRule } from '../extract/page-rule.ts'
import { fieldColumnsOf, valueAt } from './columns.ts'

/** What is counted of a rule, in this order: its fields, those of a group that an item has once each by itself. */
export const countedFields = (rule: PageRule): readonly string[] => fieldColumnsOf(rule).map(({ name }) => name)

/** How many items were read, and then in how many of them each of the counted fields had a value. */
export type FilledCounts = readonly number[]

/** Counts what the items of a page have, whether they are kept or not. Null: the page has none. */
export function createFilledCount(rule: PageRule): (reading: Pick<Reading, 'item' | 'items'>) => FilledCounts | null {
  const columns = fieldColumnsOf(rule)
  return ({ item, items }) => {
    const read: readonly Item[] = item === null ? items : [item]
    if (read.length === 0 || columns.length === 0) return null
    const counts = [read.length]
    for (const column of columns)
      counts.push(read.reduce((sum, each) => (isFilled(valueAt(each, column)) ? sum + 1 : sum), 0))
    return counts
  }
}

/** `false` and 0 are answers. A text, a list or a map with nothing in it is none. */
function isFilled(value: JsonValue): boolean {
  if (value === null || value === '') return false
  if (typeof value !== 'object') return true
  if (Array.isArray(value)) return value.length > 0
  for (const _ in value) return true
  return false
}
