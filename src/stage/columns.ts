import type { Item, JsonValue } from '../core/wire.ts'
import type { PageRule } from '../extract/page-rule.ts'
import { type FieldSpec, type ItemSchema, isBound } from '../extract/schema.ts'

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
  const schemas = pages.flatMap(schemasOf)
  for (const schema of schemas) for (const column of fieldColumns(schema)) add(column)
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

const schemasOf = ({ item, items }: PageRule): ItemSchema[] =>
  [item, items?.item ?? null].filter(schema => schema !== null)

/** Columns that a user names: `offer.price` is the price of the offer. */
export const namedColumns = (names: readonly string[]): Column[] =>
  names.map(name => ({ name, path: name.split('.'), kind: 'any' }))

/**
 * A column inside of one whose value is a map, with names that only the pages know: `specs.Weight` of a `table: pairs`. Null:
 * no field is one that `name` leads into.
 */
export function columnInside(name: string, pages: readonly PageRule[]): Column | null {
  for (const { path, spec } of pages.flatMap(schemasOf).flatMap(schema => fieldsOf(schema))) {
    const outside = `${path.join('.')}.`
    if (!name.startsWith(outside) || !isMap(spec)) continue
    const rest = name.slice(outside.length)
    // What a page calls something may have a dot in it, and holds no further map.
    return { name, path: [...path, ...(isPairs(spec) ? [rest] : rest.split('.'))], kind: 'any' }
  }
  return null
}

const isPairs = ({ source }: FieldSpec): boolean =>
  source.kind === 'dl' || (source.kind === 'table' && source.shape === 'pairs')

/** Whether the value of a field may be a map. */
function isMap(spec: FieldSpec): boolean {
  if (spec.list) return false
  if (isPairs(spec) || spec.type === 'json' || spec.source.kind === 'group') return true
  return isBound(spec.source)
}

interface Field {
  readonly path: readonly string[]
  readonly spec: FieldSpec
}

/** The fields of a schema, in place of a group that an item has once those in it. */
function fieldsOf(schema: ItemSchema, above: readonly string[] = []): Field[] {
  return Object.entries(schema).flatMap(([field, spec]): Field[] => {
    const path = [...above, field]
    const { source } = spec
    if (source.kind === 'group' && !spec.list && spec.default === undefined) return fieldsOf(source.fields, path)
    return [{ path, spec }]
  })
}

/** The columns of what a page rule reads. */
export const fieldColumnsOf = (rule: PageRule): Column[] => schemasOf(rule).flatMap(fieldColumns)

const fieldColumns = (schema: ItemSchema): Column[] =>
  fieldsOf(schema).map(({ path, spec }) => ({ name: path.join('.'), path, kind: kindOf(spec) }))

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
