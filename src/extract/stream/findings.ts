import type { Item, JsonValue } from '../../core/wire.ts'
import type { PageContext } from '../fields/field-type.ts'
import { fieldTypes } from '../fields/index.ts'
import type { FieldNode, GroupNode } from './field-node.ts'

/**
 * What has been found of an item, as strings: they become values of their types when the page is done, since only then
 * is it known what its URLs are relative to.
 */

/** A string as it stands in the page, a nested item, or nothing. */
export type Found = string | null | Scope

export interface FoundList {
  readonly found: Found[]
  /** The element that was found last: one that fits two selectors of a list is one match. */
  lastNumber: number
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

const isScope = (found: Found): found is Scope => found !== null && typeof found === 'object'

/** Of one field of a scope, in the order of the page. */
const foundOf = (field: FieldNode, value: Found | FoundList | undefined): readonly Found[] =>
  value === undefined ? [] : field.isList ? (value as FoundList).found : [value as Found]

/** The item with its values. */
export function itemOf(scope: Scope, context: PageContext): Item {
  const item: Record<string, JsonValue> = {}
  for (const [index, field] of scope.group.fields.entries()) {
    const found = foundOf(field, scope.values[index])
    item[field.name] = field.isList
      ? found.map(each => valueOfField(field, each, context)).filter(value => value !== null)
      : valueOfField(field, found[0] ?? null, context)
  }
  return item
}

function valueOfField(field: FieldNode, found: Found, context: PageContext): JsonValue {
  if (isScope(found)) return itemOf(found, context)
  if (field.source.kind === 'group') return null
  const type = fieldTypes[field.type]
  return found === null ? type.absent : type.read(found, context)
}

/** The same whatever it is relative to: white space before a URL is no part of it. */
const isAbsolute = (url: string): boolean => url === '' || /^\s*https?:\/\//i.test(url)

/** True where a URL has been found that says nothing without the page's base. */
export const hasRelativeUrl = (scope: Scope): boolean =>
  scope.group.fields.some((field, index) =>
    foundOf(field, scope.values[index]).some(found =>
      isScope(found) ? hasRelativeUrl(found) : field.type === 'url' && !isAbsolute(found ?? ''),
    ),
  )
