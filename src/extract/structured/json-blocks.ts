import type { JsonValue } from '../../core/wire.ts'
import type { ItemSchema } from '../schema.ts'
import type { WholePage } from '../whole-page-field.ts'
import { parseLenient } from './lenient-json.ts'

/** The JSON of a page's scripts: what can be read, and how many cannot. */

/** Of each page, the scripts that hold no JSON though a field took them for it, by what they say. */
const broken = new WeakMap<WholePage, Set<string>>()

const schemas = new Map<string, ItemSchema>()

/** Elements whose text is JSON: read along with tags as they come, so no tree is needed for it. One for each selector. */
export function blocksSchema(selector: string): ItemSchema {
  const known = schemas.get(selector)
  if (known !== undefined) return known
  const schema: ItemSchema = { blocks: { selector, source: { kind: 'text' }, type: 'raw', list: true } }
  schemas.set(selector, schema)
  return schema
}

/** The good ones in the order of the page. What is broken is counted, once however many fields ask for it. */
export function jsonBlocksOf(page: WholePage, schema: ItemSchema): readonly JsonValue[] {
  const { blocks } = page.read(schema)
  const values: JsonValue[] = []
  for (const text of Array.isArray(blocks) ? blocks : []) {
    // An empty one says nothing, and nothing wrong.
    if (typeof text !== 'string' || text.trim() === '') continue
    const value = parseLenient(text)
    if (value === undefined) noteBroken(page, text)
    else values.push(value)
  }
  return values
}

function noteBroken(page: WholePage, text: string): void {
  const known = broken.get(page)
  if (known === undefined) broken.set(page, new Set([text]))
  else known.add(text)
}

export const brokenBlocksOf = (page: WholePage): number => broken.get(page)?.size ?? 0
