import type { ItemsRule, PageRule } from './page-rule.ts'
import { type FieldSpec, type ItemSchema, isBound } from './schema.ts'
import { type ChainScope, selectorRefusal } from './stream/chain.ts'
import { wholePageFields } from './whole-page-fields.ts'

/**
 * Which engine reads a page rule, and why. The stream engine is chosen where all of the rule can be exact on tags as
 * they come, and the tree engine otherwise: what is found never depends on the choice, only what it costs does. A rule
 * that asks for one thing of the tree has paid for it, so the other fields go there too.
 */
export interface Plan {
  readonly engine: 'stream' | 'tree'
  /** Each field, the nested ones behind their group, and each selector of `follow`. */
  readonly parts: readonly PlannedPart[]
  /** What makes all of the rule need the tree, whatever its parts are. */
  readonly reason: string | null
}

export interface PlannedPart {
  /** Where it stands in the rule: `item.offers.price`, `follow[0]`. */
  readonly path: string
  /** Null: it has none, and reads what it stands in. */
  readonly selector: string | null
  /** Why it needs the tree, in words for the user; null: it streams. */
  readonly reason: string | null
}

export function planOf(rule: PageRule): Plan {
  const parts = [
    ...(rule.item === null ? [] : partsOf(rule.item, 'item', 'page')),
    ...(rule.items === undefined ? [] : partsOfItems(rule.items)),
    ...rule.follow.map((selector, index) => ({
      path: `follow[${index}]`,
      selector,
      reason: selectorRefusal(selector, 'page'),
    })),
  ]
  const reason = rule.parser === 'fast' ? null : 'the browser parser builds a tree'
  const streams = reason === null && parts.every(part => part.reason === null)
  return { engine: streams ? 'stream' : 'tree', parts, reason }
}

const partsOfItems = ({ selector, item }: ItemsRule): PlannedPart[] => [
  { path: 'items', selector, reason: selectorRefusal(selector, 'page') },
  ...partsOf(item, 'items.item', 'element'),
]

function partsOf(schema: ItemSchema, path: string, scope: ChainScope): PlannedPart[] {
  return Object.entries(schema).flatMap(([name, spec]) => {
    const own = { path: `${path}.${name}`, selector: spec.selector, reason: refusalOf(spec, scope) }
    return spec.source.kind === 'group' ? [own, ...partsOf(spec.source.fields, own.path, 'element')] : [own]
  })
}

/** What the stream engine knows. Anything that the language has learnt since then is left to the tree. */
const keys: ReadonlySet<string> = new Set(
  'selector source type list pick pattern whitespace locale format words default required follow'.split(' '),
)
const sources: ReadonlySet<string> = new Set(
  'text innerText ownText innerHTML outerHTML tagName attribute natural group table dl count exists'.split(' '),
)
const types: ReadonlySet<string> = new Set(['raw', 'text', 'number', 'url', 'boolean', 'date', 'json'])

function refusalOf(spec: FieldSpec, scope: ChainScope): string | null {
  const { selector, source, type } = spec
  const other = Object.entries(spec).find(([key, value]) => !keys.has(key) && value !== undefined && value !== null)
  if (other !== undefined) return `"${other[0]}" is left to the tree`
  if (!types.has(type)) return `values of type ${type} are read from the tree`
  if (source.kind === 'whole' && wholePageFields[source.from]?.needsTree === true)
    return `${source.from} looks at the whole tree`
  if (isBound(source)) return null
  if (!sources.has(source.kind)) return `${source.kind} is read from the tree`
  if (selector !== null) return selectorRefusal(selector, scope)
  if (scope === 'element') return null
  if (source.kind === 'group') return 'a group of the whole page has no element to be relative to'
  if (source.kind === 'table' || source.kind === 'dl') return 'without a selector it is read of the whole tree'
  return source.kind.endsWith('HTML') ? 'the markup of the whole page is written from its tree' : null
}
