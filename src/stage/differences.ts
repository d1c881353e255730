import type { FieldDifference, JsonValue } from '../core/wire.ts'
import type { Reading } from '../extract/engine.ts'

/** What a report shows of a value. */
const mostCharacters = 200

/** Lists of fields are as long as the schema is; what a page holds as JSON may have names without end. */
const mostPaths = 100

type Compared = Pick<Reading, 'item' | 'items'> & { readonly links: readonly { readonly value: string }[] }

type Map = { readonly [key: string]: JsonValue }

const isMap = (value: JsonValue): value is Map => typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** A page may hold JSON that nests deeper than stacks. What is deeper than this counts as alike. */
const mostDepth = 100

/** Names that objects have by themselves are none of a page's. */
const at = (map: Map, key: string): JsonValue => (Object.hasOwn(map, key) ? (map[key] ?? null) : null)

function jsonOf(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch {
    return 'nested too deep to be shown'
  }
}

/** As JSON, cut where it is long. */
function shownValue(value: JsonValue): string {
  const text = jsonOf(value)
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1)}…`
}

/**
 * Where two readings of one page differ: by field (`item.offers.price`; places in lists are left out, so that a field
 * that differs in many rows is one), each with the first pair of values. Lists of different lengths differ as a whole.
 * Links differ as `follow`.
 */
export function differencesOf(fast: Compared, browser: Compared): FieldDifference[] {
  const found = new Map<string, FieldDifference>()

  const compare = (one: JsonValue, other: JsonValue, path: string, depth = 0): void => {
    if (one === other || found.size >= mostPaths || depth > mostDepth) return
    if (isList(one) && isList(other) && one.length === other.length) {
      for (const [index, value] of one.entries()) compare(value, other[index] ?? null, path, depth + 1)
      return
    }
    if (isMap(one) && isMap(other)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
        compare(at(one, key), at(other, key), `${path}.${key}`, depth + 1)
      return
    }
    if (!found.has(path)) found.set(path, { path, fast: shownValue(one), browser: shownValue(other) })
  }

  compare(fast.item, browser.item, 'item')
  compare(fast.items, browser.items, 'items')
  compare(linksOf(fast), linksOf(browser), 'follow')
  return [...found.values()]
}

const linksOf = ({ links }: Compared): readonly string[] => links.map(({ value }) => value)
