import type { Item } from '../core/wire.ts'
import type { FoundLink } from './links.ts'

/** What one page holds for its rule. */
export interface Reading {
  /** Null: the rule asks for none. */
  readonly item: Item | null
  readonly links: readonly FoundLink[]
  /** What relative URLs of the page are resolved against. */
  readonly baseUrl: string
}

export interface ReadRequest {
  readonly html: string
  /** The URL that answered. */
  readonly url: string
  readonly wantLinks: boolean
}

/**
 * A page rule, made ready once and applied to page after page. How it reads (a tree, or tokens as they come) never
 * shows in what it finds. Keeps nothing of a page afterwards.
 */
export interface Engine {
  readonly name: 'stream' | 'tree'
  read(request: ReadRequest): Reading
}
