import { decodeAttribute } from './references.ts'
import { type Quote, quote } from './scanner.ts'

/**
 * The attributes of the tag that is being read, of those that some selector or field asks for. They are kept as places
 * on the page; strings are made of what is looked at.
 */
export interface Attributes {
  /** The place of an attribute from now on. Before reading only. */
  slotOf(name: string): number
  has(slot: number): boolean
  /** Null: the tag has none. */
  valueOf(slot: number): string | null
  /** Before the first tag of a page; of no page, so that nothing of the last one is kept. */
  usePage(html: string): void
  /** A tag begins; it has none so far. */
  begin(): void
  /** The tag has one: the places of its name and its value. */
  add(nameStart: number, nameEnd: number, start: number, end: number, how: Quote): void
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122
const isAscii = (name: string): boolean => /^[\0-\x7f]*$/.test(name)

export function createAttributes(): Attributes {
  const slots = new Map<string, number>()
  /** First letters of the names of each length, a bit each: what most other names fail at. */
  const firstLetters = new Int32Array(64)
  let isAnyLength = false
  let html = ''
  let tag = 0
  /** By slot: which tag it was last seen on, its place, its quotes, and its value once that was asked for. */
  const tags: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  const quotes: Quote[] = []
  const values: (string | null)[] = []

  const mayBeWanted = (start: number, end: number): boolean => {
    if (isAnyLength) return true
    const letters = firstLetters[end - start] ?? -1
    if (letters === 0) return false
    const first = html.charCodeAt(start) | 32
    return letters === -1 || !isLetter(first) || ((letters >> (first - 97)) & 1) === 1
  }

  return {
    slotOf(name) {
      const existing = slots.get(name)
      if (existing !== undefined) return existing
      const added = tags.push(0) - 1
      slots.set(name, added)
      starts.push(0)
      ends.push(0)
      quotes.push(quote.none)
      values.push(null)
      const first = name.charCodeAt(0)
      // Letters beyond ASCII may be of another length in lower case.
      if (!isAscii(name) || name.length >= firstLetters.length) isAnyLength = true
      else
        firstLetters[name.length] = (firstLetters[name.length] ?? 0) | (isLetter(first) ? 1 << (first - 97) : 1 << 31)
      return added
    },
    has: at => tags[at] === tag,
    valueOf(at) {
      if (tags[at] !== tag) return null
      values[at] ??= decodeAttribute(html.slice(starts[at], ends[at]), quotes[at] ?? quote.none)
      return values[at] ?? null
    },
    usePage(page) {
      html = page
      tag = 0
      tags.fill(0)
      values.fill(null)
    },
    begin() {
      tag += 1
    },
    add(nameStart, nameEnd, start, end, how) {
      if (!mayBeWanted(nameStart, nameEnd)) return
      const name = html.slice(nameStart, nameEnd).toLowerCase()
      const slot = slots.get(name)
      // The first of the same name counts. And to a plain object, as which the tree keeps them, "__proto__" means
      // something else, so that no tree has it.
      if (slot === undefined || tags[slot] === tag || name === '__proto__') return
      tags[slot] = tag
      starts[slot] = start
      ends[slot] = end
      quotes[slot] = how
      values[slot] = null
    },
  }
}
