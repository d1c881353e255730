import type { Item } from '../core/wire.ts'
import type { FoundLink } from './links.ts'
import type { PageFacts } from './page-facts.ts'

/** A required field that has no value. */
export interface Missing {
  /** Names of fields and places in lists, from the item inwards. */
  readonly path: readonly (string | number)[]
  /** `item`: without it the item is not kept. */
  readonly required: 'item' | 'flag'
}

/** What one page holds for its rule. */
export interface Reading {
  /** Null: the rule asks for none, or for `items`. */
  readonly item: Item | null
  /** Of a rule with `items`, those of the page. */
  readonly items: readonly Item[]
  /** Of `item`; of `items`, with `items` and the item's place before the path. */
  readonly missing: readonly Missing[]
  /** Those of `follow`, and then those of fields. */
  readonly links: readonly FoundLink[]
  /** What relative URLs of the page are resolved against. */
  readonly baseUrl: string
  /** Scripts that a field took for JSON and that hold none; left out where there are none. */
  readonly brokenBlocks?: number
}

export interface ReadRequest {
  /** May be made when it is first asked for: not all that reads pages needs it. */
  readonly html: string
  /** The same as bytes of UTF-8, without a byte order mark; broken ones are U+FFFD in `html`. Left out: `html` is what there is. */
  readonly utf8?: Uint8Array
  /** The URL that answered. */
  readonly url: string
  readonly wantLinks: boolean
  /** Left out: nothing but the URL is known. */
  readonly facts?: PageFacts
}

/** The text of a page, and its bytes where they are UTF-8. */
export interface PageSource {
  readonly text: string
  readonly utf8: Uint8Array | null
}

/** Asks the page for its text only when it is asked itself. */
export const readRequestOf = (page: PageSource, asked: Omit<ReadRequest, 'html' | 'utf8'>): ReadRequest => ({
  ...(page.utf8 !== null && { utf8: page.utf8 }),
  ...asked,
  get html() {
    return page.text
  },
})

/**
 * A page rule, made ready once and applied to page after page. How it reads (a tree, or tokens as they come) never
 * shows in what it finds. Keeps nothing of a page afterwards.
 */
export interface Engine {
  readonly name: 'stream' | 'tree'
  read(request: ReadRequest): Reading
}
