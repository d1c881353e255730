import { type Fault, faultOf } from '../core/errors.ts'
import type { Item, ParseRequest } from '../core/wire.ts'
import type { Missing, Reading } from '../extract/engine.ts'
import { withOrigin } from './item-lines.ts'

/** The items of a page, by what is required of them. */
export interface JudgedItems {
  readonly kept: readonly Item[]
  /** Of those that are not, one each. */
  readonly refused: readonly Fault[]
  /** Not null: the page as a whole lacks something. */
  readonly fault: Fault | null
}

const none: JudgedItems = { kept: [], refused: [], fault: null }

/** A message need not list all that a page of another kind lacks. */
const mostNamed = 10

/**
 * A page without a field that its item cannot be without fails; of a page with several items only those that lack it are
 * not kept, unless that is each of them: then it fails as well. What is only to be flagged is told by the item itself, as `_missing`.
 */
export function judgeItems({ item, items, missing }: Reading, isSeveral: boolean, request: ParseRequest): JudgedItems {
  if (isSeveral) return judgeSeveral(items, missing, request)
  if (item === null) return none
  const fault = faultOfMissing(missing, request)
  return fault === null ? { ...none, kept: [withOrigin(flagged(item, missing), request)] } : { ...none, fault }
}

function judgeSeveral(items: readonly Item[], missing: readonly Missing[], request: ParseRequest): JudgedItems {
  const isWhole = missing.some(({ path }) => path.length === 1)
  if (isWhole)
    return { ...none, fault: faultOf('FIELD_MISSING', `${request.finalUrl}: there are no items on the page`) }
  const byItem = Map.groupBy(missing, ({ path }) => path[1])
  const kept: Item[] = []
  const refused: Fault[] = []
  for (const [index, item] of items.entries()) {
    const lacks = byItem.get(index) ?? []
    const fault = faultOfMissing(lacks, request)
    if (fault !== null) refused.push(fault)
    else kept.push({ ...withOrigin(flagged(item, lacks, 2), request), _index: index })
  }
  // Nothing of the page is of use: it fails, so that it can be looked into and asked for again.
  if (kept.length === 0 && refused.length > 0) return { ...none, fault: faultOfAll(items.length, missing, request) }
  return { kept, refused, fault: null }
}

function faultOfAll(count: number, missing: readonly Missing[], { finalUrl }: ParseRequest): Fault {
  const names = new Set(missing.filter(({ required }) => required === 'item').map(({ path }) => textOf(path.slice(2))))
  const named = [...names].slice(0, mostNamed).join(', ')
  const which = count === 1 ? 'the only item of the page is' : `all ${count} items of the page are`
  return faultOf('FIELD_MISSING', `${finalUrl}: ${which} without a value for ${named}, which is required`)
}

/** @param depth how much of the paths is outside of the item */
function flagged(item: Item, missing: readonly Missing[], depth = 0): Item {
  return missing.length === 0 ? item : { ...item, _missing: missing.map(({ path }) => textOf(path.slice(depth))) }
}

function faultOfMissing(missing: readonly Missing[], { finalUrl }: ParseRequest): Fault | null {
  const paths = missing.filter(({ required }) => required === 'item').map(({ path }) => textOf(path))
  if (paths.length === 0) return null
  const rest = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
  return faultOf(
    'FIELD_MISSING',
    `${finalUrl}: no value for ${paths.slice(0, mostNamed).join(', ')}${rest}, which is required`,
  )
}

/** `offers[2].price` */
const textOf = (path: Missing['path']): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
