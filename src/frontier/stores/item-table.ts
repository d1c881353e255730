import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Item, JsonValue } from '../../core/wire.ts'
import { type Column, type ColumnKind, valueAt } from '../../stage/columns.ts'

/** Items as rows, beside the tasks that they come from and in their transactions. */
export interface ItemTable {
  /** Lines of JSON; the transaction is the caller's. */
  insert(lines: readonly Uint8Array[]): void
}

const declared: Readonly<Record<ColumnKind, string>> = {
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INTEGER',
  json: 'TEXT',
  any: '',
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** True and false are 1 and 0, lists and objects are JSON: `json_each` reads them. */
function cellOf(value: JsonValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
}

const decoder = new TextDecoder()

/** Names of columns come from the job, never from a page. */
export function openItemTable(database: DatabaseSync, columns: readonly Column[]): ItemTable {
  const names = columns.map(({ name }) => quoted(name))
  const made = columns.map(({ kind }, at) => `${names[at]} ${declared[kind]}`.trimEnd())
  database.exec(`CREATE TABLE IF NOT EXISTS items (${made.join(', ')})`)
  const insert = database.prepare(
    `INSERT INTO items (${names.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  return {
    insert(lines) {
      for (const chunk of lines)
        for (const line of decoder.decode(chunk).split('\n')) {
          if (line === '') continue
          const item: Item = JSON.parse(line)
          insert.run(...columns.map(column => cellOf(valueAt(item, column))))
        }
    },
  }
}
