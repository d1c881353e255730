import { startPage } from '../core/task.ts'
import type { FieldSpec, ItemSchema } from './schema.ts'

/** How pages of one kind are read. */
export interface PageRule {
  readonly name: string
  /** A URL pattern over the path or the whole URL; null fits every URL. */
  readonly match: string | null
  /** Null: the page is read for its links only, or for `items`. */
  readonly item: ItemSchema | null
  /** Several items of one page, each below a match of a selector. */
  readonly items?: ItemsRule
  /** Selectors of the elements whose `href` (or `src`, or `action`) is followed. */
  readonly follow: readonly string[]
  /**
   * What is wanted of the links of each selector of `follow`, in their order, and then of fields that name their entry
   * here. Left out: nothing but to follow them.
   */
  readonly followRules?: readonly FollowRule[]
  /** Of the tasks of its URLs. Left out: 0. */
  readonly priority?: number
  /** `fast`: htmlparser2's reading of HTML. `browser`: parse5, the tree a browser builds. */
  readonly parser: 'fast' | 'browser'
  /** Absolute path of a user's module that reads the page in place of `item`. */
  readonly module?: string
}

/** What is wanted of the links that one selector or field finds. */
export interface FollowRule {
  /** A URL pattern that they must fit; null: all do. */
  readonly match: string | null
  /** The page rule that reads them; null: the first that fits. */
  readonly page: string | null
  /** Null: that of the page rule. */
  readonly priority: number | null
}

export interface ItemsRule {
  readonly selector: string
  readonly item: ItemSchema
  /** True: a page without any fails. */
  readonly required: boolean
}

/** The one field that `items` are to an engine: a list of groups. */
export const itemsField = 'items'

/** What an engine reads of a page; null: links alone. */
export function schemaOf({ item, items }: Pick<PageRule, 'item' | 'items'>): ItemSchema | null {
  if (items === undefined) return item
  const field: FieldSpec = {
    selector: items.selector,
    source: { kind: 'group', fields: items.item },
    type: 'raw',
    list: true,
    ...(items.required && { required: 'item' }),
  }
  return { [itemsField]: field }
}

/**
 * The rule of seeds that no rule of the job fits: read for links alone, so that a job may begin at a home page it
 * does not want anything else of. No link is ever routed to it.
 */
export const startPageRule: PageRule = { name: startPage, match: null, item: null, follow: ['a'], parser: 'fast' }
