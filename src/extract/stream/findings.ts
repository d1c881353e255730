import type { Item, JsonValue } from '../../core/wire.ts'
import { nest, type ReadingPage } from '../reading-page.ts'
import type { FieldNode, GroupNode } from './field-node.ts'

/**
 * What has been found of an item, as strings: they become values of their types when the page is done, since only then
 * is it known what its URLs are relative to.
 */

/** A string as it stands in the page, a nested item, a value that needs the page no more, or nothing. */
export type Found = string | null | Scope | Ready

export interface Ready {
  readonly ready: JsonValue
}

/** What is found where more than the first match is looked at. */
export interface FoundList {
  readonly found: Found[]
  /** The element that was found last: one that fits two selectors of a list is one match. */
  lastNumber: number
  /** How many there were, also of those that are not kept. */
  count: number
}

/** One element of a group, or the page. */
export interface Scope {
  readonly group: GroupNode
  /** Of the element, in the order of the page; 0: the page. */
  readonly number: number
  readonly depth: number
  /** Found of a single field, which stays null where there is no value; found lists; undefined: no match so far. */
  readonly values: (Found | FoundList | undefined)[]
}

const isScope = (found: Found): found is Scope => typeof found === 'object' && found !== null && 'group' in found

/** Of one field of a scope, in the order of the page. */
const foundOf = (field: FieldNode, value: Found | FoundList | undefined): readonly Found[] =>
  value === undefined ? [] : field.isMany ? (value as FoundList).found : [value as Found]

/**
 * The item with its values.
 * @param count of its fields, where those behind them are something else
 */
export function itemOf(scope: Scope, page: ReadingPage, count = scope.group.fields.length): Item {
  const item: Record<string, JsonValue> = {}
  for (const [index, field] of scope.group.fields.entries())
    if (index < count) item[field.name] = fieldValueOf(scope, index, field, page)
  return item
}

/** The value of one field. */
export const fieldValueOf = (scope: Scope, index: number, field: FieldNode, page: ReadingPage): JsonValue =>
  field.settle(matchedOf(field, scope.values[index], page), page)

/** Undefined: there is no match. */
function matchedOf(field: FieldNode, value: Found | FoundList | undefined, page: ReadingPage): JsonValue | undefined {
  const { source, pick } = field
  if (source.kind === 'bound') return source.read(page)
  if (source.kind === 'exists') return value !== undefined
  if (source.kind === 'count') return value === undefined ? 0 : (value as FoundList).count
  if (field.isList)
    return foundOf(field, value)
      .map((found, place) => valueOfMatch(field, found, place, page))
      .filter(each => each !== null)
  // Of those before a place that is counted from the start, only their number was kept.
  const found = foundOf(field, value).at(Math.min(pick, 0))
  return found === undefined ? undefined : valueOfMatch(field, found, null, page)
}

function valueOfMatch(field: FieldNode, found: Found, place: number | null, page: ReadingPage): JsonValue {
  if (typeof found === 'string') return field.valueOf(found, page)
  if (found === null) return field.absent
  if (!isScope(found)) return found.ready
  const { length } = page.missing
  const item = itemOf(found, page)
  nest(page.missing, length, field.name, ...(place === null ? [] : [place]))
  return item
}

/** The same whatever it is relative to: white space before a URL is no part of it. */
const isAbsolute = (url: string): boolean => url === '' || /^\s*https?:\/\//i.test(url)

/** True where something has been found, or will be, that says nothing without the page's base. */
export const hasRelativeUrl = (scope: Scope): boolean =>
  scope.group.fields.some(
    (field, index) =>
      field.urls === 'always' ||
      (field.urls === 'found' || field.source.kind === 'group'
        ? foundOf(field, scope.values[index]).some(found =>
            isScope(found) ? hasRelativeUrl(found) : typeof found === 'string' && !isAbsolute(found),
          )
        : false),
  )
