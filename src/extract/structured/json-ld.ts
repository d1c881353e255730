import type { JsonObject, JsonValue } from '../../core/wire.ts'
import { refuse } from '../check-problem.ts'
import { codesOfName, isNameIn } from '../stream/name-codes.ts'
import type { PageView } from '../stream/page-view.ts'
import type { WholePage, WholePageField } from '../whole-page-field.ts'
import { blocksSchema, jsonBlocksOf } from './json-blocks.ts'
import { checkJsonPath, createJsonSelect, selectFrom } from './json-path.ts'
import { objectsIn, opened } from './objects.ts'
import { checkAll } from './options.ts'
import { perPage } from './per-page.ts'
import { checkTypes, createTypeTest } from './schema-type.ts'

/**
 * `{ from: json-ld, of: Product, path: '$.offers[*].price' }`: JSON-LD as data, without its vocabulary being resolved.
 *
 * With `of`, `$` is the first object of that type (`all: true`: each of them in turn), wherever it stands: outer objects
 * come before those inside of others. Without, `$` is the list of all objects that stand by themselves. Lists and
 * `@graph` are opened.
 */
export const jsonLd: WholePageField = {
  keys: ['of', 'path', 'all'],
  check({ of, path, all }, at) {
    const types = checkTypes(of, `${at}.of`)
    const isAll = checkAll(all, at)
    if (isAll && types.length === 0) refuse(`${at}.all`, all, 'all only with of; without that all objects are given')
    return { types, path: checkJsonPath(path, `${at}.path`), all: isAll }
  },
  needs: () => ({ schema, mayBeIn: mayHold }),
  create({ types, path, all }) {
    const names = types as readonly string[]
    const select = createJsonSelect(path as string | null)
    const test = createTypeTest(names)
    if (names.length === 0)
      return page => {
        const objects = [...opened(blocksOf(page), '@graph')].filter(standsByItself)
        return objects.length === 0 ? null : select(objects)
      }
    return page => {
      const fitting = objectsIn(blocksOf(page), '@graph').filter(object => test(object['@type']))
      return selectFrom(fitting, select, all === true)
    }
  },
}

/** Not what is but the wrapping of a graph. */
export const standsByItself = (object: JsonObject): boolean =>
  object['@graph'] === undefined || object['@type'] !== undefined

/** With parameters, and in any letter case. */
export const blocksSelector = 'script[type*="ld+json" i]'
const schema = blocksSchema(blocksSelector)
/** Most pages that have none need not be read to their end for it. */
const json = codesOfName('json')
const mayHold = (page: PageView): boolean => isNameIn(json, page)
const blocksOf: (page: WholePage) => readonly JsonValue[] = perPage(page => jsonBlocksOf(page, schema))
