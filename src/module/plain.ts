import { MillraceError } from '../core/errors.ts'
import type { Item, JsonValue } from '../core/wire.ts'
import { userErrorText } from './user-error.ts'

/** Deeper than any item that is meant, and far from the end of the stack. */
const deepest = 200

/** What is wrong with one value of an item, and where in the item. */
interface Refusal {
  readonly path: string
  readonly reason: string
}

const refuse = (path: string, reason: string): never => {
  throw { path, reason } satisfies Refusal
}

const isRefusal = (thrown: unknown): thrown is Refusal =>
  typeof thrown === 'object' && thrown !== null && 'path' in thrown && 'reason' in thrown

/** Names of objects that JSON would quietly write as `{}`. */
const opaque =
  /^(Map|Set|WeakMap|WeakSet|WeakRef|Promise|RegExp|ArrayBuffer|SharedArrayBuffer|.*Error|.*Iterator|Generator)$/

function keyPath(path: string, key: string): string {
  if (path === '') return key
  return /^[\w$-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

/** The value that JSON would write, or a refusal that names the field: where JSON is silent, data would be lost. */
function plainValue(value: unknown, path: string, outer: readonly object[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  // Not a number, in the sense of JSON as well: what a field says that found none.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object') return refuse(path, `a ${typeof value} is no JSON`)
  if (outer.includes(value)) return refuse(path, 'it leads back to itself, so it is no JSON (a cheerio selection?)')
  if (outer.length >= deepest) return refuse(path, `it is nested deeper than ${deepest} levels`)
  const within = [...outer, value]
  if ('toJSON' in value && typeof value.toJSON === 'function') return plainValue(value.toJSON(), path, within)
  if (Array.isArray(value))
    return value.map((element: unknown, index) =>
      element === undefined ? null : plainValue(element, `${path}[${index}]`, within),
    )
  const { name } = value.constructor ?? {}
  if (typeof name === 'string' && opaque.test(name)) return refuse(path, `a ${name} is no JSON`)
  return plainFields(value, path, within)
}

function plainFields(value: object, path: string, within: readonly object[]): Item {
  const fields: [string, JsonValue][] = []
  for (const key of Object.keys(value)) {
    const at = keyPath(path, key)
    const field = fieldOf(value, key, at)
    if (field !== undefined) fields.push([key, plainValue(field, at, within)])
  }
  return Object.fromEntries(fields)
}

function fieldOf(value: object, key: string, path: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key]
  } catch (thrown) {
    return refuse(path, userErrorText(thrown))
  }
}

function checked(item: unknown): Item {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return refuse(
      '',
      `it is ${item === null ? 'null' : Array.isArray(item) ? 'a list' : `a ${typeof item}`}; an item is an object`,
    )
  // The fields that every item has beside its own begin so.
  const reserved = Object.keys(item).find(key => key.startsWith('_'))
  if (reserved !== undefined) return refuse(reserved, 'names that begin with _ are taken')
  return plainFields(item, '', [item])
}

/**
 * An item of a user's module as plain data that shares nothing with it.
 * @throws PARSE_FAILED with the field that cannot be written as JSON, and why
 */
export function plainItem(item: unknown, index: number): Item {
  try {
    return checked(item)
  } catch (thrown) {
    const { path, reason } = isRefusal(thrown) ? thrown : { path: '', reason: userErrorText(thrown) }
    throw new MillraceError('PARSE_FAILED', `item ${index + 1}${path === '' ? '' : `, field ${path}`}: ${reason}`)
  }
}
