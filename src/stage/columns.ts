import type { Item, JsonValue } from '../core/wire.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { FieldSpec, ItemSchema } from '../extract/schema.ts'

/** What the values of a column are; `any`: told by each value. Null is one of every kind. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'json' | 'any'

/** A column of a table of items. Plain data that crosses to the workers. */
export interface Column {
  /** `offer.price` */
  readonly name: string
  /** Where the value is in an item. */
  readonly path: readonly string[]
  readonly kind: ColumnKind
}

/** What items say of their page, as columns. */
export interface OriginColumns {
  readonly ids: boolean
  readonly charset: boolean
}

/**
 * The columns that items of a job can have, known before any page is: the fields of its schemas in the order in which they
 * are written, those of several page rules one after the other, then what each item says of its page.
 *
 * A group of fields that an item has once becomes a column for each of them, joined by dots. Lists, tables and other
 * structured values stay in one column, as JSON: an item is one row, whatever it holds.
 */
export function columnsOf(pages: readonly PageRule[], { ids, charset }: OriginColumns): Column[] {
  const columns = new Map<string, Column>()
  const add = (column: Column): void => {
    const known = columns.get(column.name)
    const kind = known === undefined || known.kind === column.kind ? column.kind : 'any'
    columns.set(column.name, { ...(known ?? column), kind })
  }
  const schemas = pages.flatMap(({ item, items }) => [item, items?.item ?? null].filter(schema => schema !== null))
  for (const schema of schemas) for (const column of fieldColumns(schema, [])) add(column)
  const isSeveral = pages.some(({ items }) => items !== undefined)
  const isFlagged = schemas.some(flags)
  const origin: readonly (readonly [string, ColumnKind])[] = [
    ...(ids ? [['_id', 'text'] as const] : []),
    ['_url', 'text'],
    ['_finalUrl', 'text'],
    ['_page', 'text'],
    ['_at', 'text'],
    ...(isSeveral ? [['_index', 'number'] as const] : []),
    ...(isFlagged ? [['_missing', 'json'] as const] : []),
    ...(charset ? [['_charset', 'json'] as const] : []),
  ]
  for (const [name, kind] of origin) add({ name, path: [name], kind })
  return [...columns.values()]
}

/** Columns that a user names: `offer.price` is the price of the offer. */
export const namedColumns = (names: readonly string[]): Column[] =>
  names.map(name => ({ name, path: name.split('.'), kind: 'any' }))

function fieldColumns(schema: ItemSchema, above: readonly string[]): Column[] {
  return Object.entries(schema).flatMap(([field, spec]) => {
    const path = [...above, field]
    const { source } = spec
    if (source.kind === 'group' && !spec.list && spec.default === undefined) return fieldColumns(source.fields, path)
    return [{ name: path.join('.'), path, kind: kindOf(spec) }]
  })
}

function kindOf({ source, list, type, pattern, default: otherwise }: FieldSpec): ColumnKind {
  if (list) return 'json'
  const kind = ((): ColumnKind => {
    switch (source.kind) {
      case 'group':
      case 'table':
      case 'dl':
        return 'json'
      case 'count':
        return 'number'
      case 'exists':
        return 'boolean'
      case 'constant':
        return kindOfValue(source.value)
      case 'context':
      case 'whole':
        return 'any'
      default:
        if (type === 'number' || type === 'boolean' || type === 'json') return type
        return pattern === undefined ? 'text' : 'any'
    }
  })()
  return otherwise === undefined || otherwise === null || kindOfValue(otherwise) === kind ? kind : 'any'
}

function kindOfValue(value: JsonValue): ColumnKind {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean'
  return 'json'
}

/** Whether an item may come with a note of what it lacks. */
const flags = (schema: ItemSchema): boolean =>
  Object.values(schema).some(
    ({ required, source }) => required === 'flag' || (source.kind === 'group' && flags(source.fields)),
  )

/** The value of a column in an item; null where the item, or what it would be in, has none. */
export function valueAt(item: Item, { path }: Column): JsonValue {
  let value: JsonValue = item
  for (const name of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name)) return null
    value = (value as Item)[name] ?? null
  }
  return value
}
