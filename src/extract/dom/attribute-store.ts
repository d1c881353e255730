import { decodeAttribute } from '../stream/references.ts'
import { type Quote, quote } from '../stream/scanner.ts'
import { type PlacedAttributes, placeSize, type TreeElement } from './node.ts'

/** Null: the element has none of that name, which is in lower case. */
export function attributeOf(element: TreeElement, name: string): string | null {
  const { attributes, at } = element
  if (attributes.kind === 'places') return at === 0 ? null : placedValueOf(attributes, at, name)
  // Of those that are alike but for a prefix, the last one counts.
  const found = attributes.lists[at]?.findLast(attribute => attribute.name === name)
  return found === undefined ? null : found.value
}

export const hasAttribute = (element: TreeElement, name: string): boolean => {
  const { attributes, at } = element
  if (attributes.kind === 'places') return at !== 0 && placeOf(attributes, at, name) > 0
  return attributes.lists[at]?.some(attribute => attribute.name === name) === true
}

/** Whether a name stands there; no, for some that only become it in lower case. */
function isNameAt(name: string, html: string, start: number, length: number): boolean {
  if (name.length !== length) return false
  for (let index = 0; index < length; index += 1) {
    const code = html.charCodeAt(start + index)
    const lower = code >= 65 && code <= 90 ? code + 32 : code
    if (lower !== name.charCodeAt(index)) return false
  }
  return true
}

/** The index of the first attribute of that name, or 0. */
function placeOf({ html, places }: PlacedAttributes, at: number, name: string): number {
  // What the page's objects in JavaScript could not have, none of our trees has.
  if (name === '__proto__') return 0
  const letter = name.charCodeAt(0) | 32
  const end = at + 1 + (places[at] ?? 0) * placeSize
  for (let place = at + 1; place < end; place += placeSize) {
    const start = places[place] ?? 0
    const first = html.charCodeAt(start)
    if ((first | 32) !== letter && first < 128) continue
    const nameEnd = places[place + 1] ?? 0
    if (isNameAt(name, html, start, nameEnd - start) || html.slice(start, nameEnd).toLowerCase() === name) return place
  }
  return 0
}

function placedValueOf(store: PlacedAttributes, at: number, name: string): string | null {
  const place = placeOf(store, at, name)
  return place === 0 ? null : valueAt(store, place)
}

function valueAt({ html, places, decoded }: PlacedAttributes, place: number): string {
  const written = html.slice(places[place + 2], places[place + 3])
  if (!written.includes('&')) return written
  const known = decoded.get(place)
  if (known !== undefined) return known
  const value = decodeAttribute(written, (places[place + 4] ?? quote.none) as Quote)
  decoded.set(place, value)
  return value
}

/** Names as they are written, and values, in the order of the page. */
export function attributesOf({ attributes, at }: TreeElement): readonly (readonly [name: string, value: string])[] {
  if (attributes.kind === 'lists')
    return (attributes.lists[at] ?? []).map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value])
  const { html, places } = attributes
  const values = new Map<string, string>()
  const count = at === 0 ? 0 : (places[at] ?? 0)
  for (let nth = 0, place = at + 1; nth < count; nth += 1, place += placeSize) {
    const name = html.slice(places[place], places[place + 1]).toLowerCase()
    if (!values.has(name) && name !== '__proto__') values.set(name, valueAt(attributes, place))
  }
  return [...values]
}
