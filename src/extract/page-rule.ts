import { startPage } from '../core/task.ts'
import type { ItemSchema } from './schema.ts'

/** How pages of one kind are read. */
export interface PageRule {
  readonly name: string
  /** A URL pattern over the path or the whole URL; null fits every URL. */
  readonly match: string | null
  /** Null: the page is read for its links only. */
  readonly item: ItemSchema | null
  /** Selectors of the elements whose `href` (or `src`, or `action`) is followed. */
  readonly follow: readonly string[]
  /** `fast`: htmlparser2's reading of HTML. `browser`: parse5, the tree a browser builds. */
  readonly parser: 'fast' | 'browser'
  /** Absolute path of a user's module that reads the page in place of `item`. */
  readonly module?: string
}

/**
 * The rule of seeds that no rule of the job fits: read for links alone, so that a job may begin at a home page it
 * does not want anything else of. No link is ever routed to it.
 */
export const startPageRule: PageRule = { name: startPage, match: null, item: null, follow: ['a'], parser: 'fast' }
