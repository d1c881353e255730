import { codesOfName, isNameAt } from './name-codes.ts'
import { noPage, type PageView } from './page-view.ts'
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
  usePage(page: PageView): void
  /** A tag begins; it has none so far. */
  begin(): void
  /** The tag has one: the places of its name and its value. */
  add(nameStart: number, nameEnd: number, start: number, end: number, how: Quote): void
}

interface Known {
  readonly codes: Uint8Array
  readonly slot: number
}

/** More names of one length are not compared in turn. */
const mostAlike = 8

const noneKnown: Known = { codes: codesOfName(''), slot: -1 }

export function createAttributes(): Attributes {
  const slots = new Map<string, number>()
  /** The names of each length. */
  const known: (Known[] | undefined)[] = []
  /** Whether one of them has more than ASCII, which may be of another length in lower case. */
  let isAnyLength = false
  let page = noPage
  let tag = 0
  /** By slot: which tag it was last seen on, its place, its quotes, and its value once that was asked for. */
  const tags: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  const quotes: Quote[] = []
  const values: (string | null)[] = []

  /** To a plain object, as which the tree keeps attributes, "__proto__" means something else, so that no tree has it. */
  const isLost = (name: string): boolean => name === '__proto__'

  const slotByName = (name: string): number => (isLost(name) ? -1 : (slots.get(name) ?? -1))

  const slotAt = (start: number, end: number): number => {
    const length = end - start
    const alike = known[length]
    if (isAnyLength || page.isFolding || (alike !== undefined && alike.length > mostAlike))
      return slotByName(page.slice(start, end).toLowerCase())
    if (alike === undefined) return -1
    for (let nth = 0; nth < alike.length; nth += 1) {
      const { codes, slot } = alike[nth] ?? noneKnown
      if (isNameAt(codes, page.codes, start, length)) return slot
    }
    return -1
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
      const codes = codesOfName(name)
      if (codes.length < name.length) isAnyLength = true
      else if (!isLost(name)) known[name.length] = [...(known[name.length] ?? []), { codes, slot: added }]
      return added
    },
    has: at => tags[at] === tag,
    valueOf(at) {
      if (tags[at] !== tag) return null
      values[at] ??= decodeAttribute(page.slice(starts[at] ?? 0, ends[at] ?? 0), quotes[at] ?? quote.none)
      return values[at] ?? null
    },
    usePage(next) {
      page = next
      tag = 0
      tags.fill(0)
      values.fill(null)
    },
    begin() {
      tag += 1
    },
    add(nameStart, nameEnd, start, end, how) {
      const slot = slotAt(nameStart, nameEnd)
      // The first of the same name counts.
      if (slot < 0 || tags[slot] === tag) return
      tags[slot] = tag
      starts[slot] = start
      ends[slot] = end
      quotes[slot] = how
      values[slot] = null
    },
  }
}
