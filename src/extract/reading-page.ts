import type { Item, JsonValue } from '../core/wire.ts'
import type { Tree } from './dom/tree.ts'
import type { Missing, Reading, ReadRequest } from './engine.ts'
import type { PageContext } from './fields/field-type.ts'
import type { FoundLink } from './links.ts'
import { factsOf, type PageFacts } from './page-facts.ts'
import { itemsField, type PageRule } from './page-rule.ts'
import type { ItemSchema } from './schema.ts'
import { brokenBlocksOf } from './structured/json-blocks.ts'
import type { WholePage } from './whole-page-field.ts'

/** One page while its fields become values, in either engine. */
export interface ReadingPage extends PageContext {
  readonly facts: PageFacts
  readonly whole: WholePage
  /** Filled in while the item is made. */
  readonly missing: Missing[]
  /** Those of fields; null: none are wanted. */
  readonly links: FoundLink[] | null
}

/** What an engine can do for the fields that are read of the page as a whole. */
export interface WholeReader {
  /** Asked for once at most. */
  tree(): Tree
  read(schema: ItemSchema, page: ReadingPage): Item
}

export function openReading(request: ReadRequest, baseUrl: string, reader: WholeReader): ReadingPage {
  const { url, wantLinks, facts = factsOf(url) } = request
  let made: Tree | null = null
  const read = new Map<ItemSchema, Item>()
  const page: ReadingPage = {
    baseUrl,
    facts,
    missing: [],
    links: wantLinks ? [] : null,
    whole: {
      get html() {
        return request.html
      },
      url,
      baseUrl,
      status: facts.status,
      headers: facts.headers,
      tree() {
        made ??= reader.tree()
        return made
      },
      read(schema) {
        const known = read.get(schema)
        if (known !== undefined) return known
        const item = reader.read(schema, page)
        read.set(schema, item)
        return item
      },
    },
  }
  return page
}

/** @param item what the rule's schema gave; null: it has none */
export function readingOf(
  { items }: Pick<PageRule, 'items'>,
  item: Item | null,
  followed: readonly FoundLink[],
  { missing, links, baseUrl, whole }: ReadingPage,
): Reading {
  const brokenBlocks = brokenBlocksOf(whole)
  const isSeveral = items !== undefined
  return {
    item: isSeveral ? null : item,
    items: isSeveral ? itemsIn(item?.[itemsField]) : [],
    missing,
    links: links === null || links.length === 0 ? followed : [...followed, ...links],
    baseUrl,
    ...(brokenBlocks > 0 && { brokenBlocks }),
  }
}

const itemsIn = (list: JsonValue | undefined): readonly Item[] => (list ?? []) as readonly Item[]

/** What was missing in a nested item since `from` is told from further outside. */
export function nest(missing: Missing[], from: number, ...outer: Missing['path']): void {
  for (let at = from; at < missing.length; at += 1) {
    const inner = missing[at]
    if (inner !== undefined) missing[at] = { ...inner, path: [...outer, ...inner.path] }
  }
}
