import type { JsonObject, JsonValue } from '../../core/wire.ts'
import type { Engine } from '../engine.ts'
import { createStreamEngine } from '../stream/stream-engine.ts'
import { blocksSchema } from './json-blocks.ts'
import { blocksSelector, standsByItself } from './json-ld.ts'
import { parseLenient } from './lenient-json.ts'
import { objectsIn, opened } from './objects.ts'
import { checkTypes, createTypeTest } from './schema-type.ts'

/** The JSON-LD of a page for whoever reads it by code of one's own. */

let made: Engine | null = null

function engine(): Engine {
  const item = blocksSchema(blocksSelector)
  made ??= createStreamEngine({ name: 'json-ld', match: null, item, follow: [], parser: 'fast' })
  return made
}

/**
 * @param of one type or several; left out: all objects that stand by themselves
 * @throws CONFIG_INVALID `of` is no name of a type
 */
export function jsonLdObjects(html: string, url: string, of?: string | readonly string[]): JsonObject[] {
  const types = checkTypes(of, 'jsonLd')
  const blocks = engine().read({ html, url, wantLinks: false }).item?.blocks ?? []
  const values = (blocks as readonly string[])
    .map(parseLenient)
    .filter((value): value is JsonValue => value !== undefined)
  if (types.length === 0) return [...opened(values, '@graph')].filter(standsByItself)
  const test = createTypeTest(types)
  return [...objectsIn(values, '@graph')].filter(object => test(object['@type']))
}
