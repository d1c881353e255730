import type { WholePageField } from '../whole-page-field.ts'
import { checkJsonPath, createJsonSelect, selectFrom } from './json-path.ts'
import { microdataOf } from './microdata-items.ts'
import { objectsIn } from './objects.ts'
import { checkAll } from './options.ts'
import { perPage } from './per-page.ts'
import { checkTypes, createTypeTest } from './schema-type.ts'

/**
 * `{ from: microdata, of: Product, path: '$.properties.price[0]' }`: items in the form that the HTML standard gives them
 * as JSON, `{ type: [...], id, properties: { name: [...] } }`. `of`, `path` and `all` as in JSON-LD; without `of`, `$`
 * is the list of all items that are no property of another.
 */
export const microdata: WholePageField = {
  keys: ['of', 'path', 'all'],
  check: ({ of, path, all }, at) => ({
    types: checkTypes(of, `${at}.of`),
    path: checkJsonPath(path, `${at}.path`),
    all: checkAll(all, at),
  }),
  create({ types, path, all }) {
    const names = types as readonly string[]
    const select = createJsonSelect(path as string | null)
    const test = createTypeTest(names)
    if (names.length === 0)
      return page => {
        const items = itemsOf(page)
        return items.length === 0 ? null : select(items)
      }
    return page => {
      const fitting = objectsIn(itemsOf(page), null).filter(({ type }) => test(type))
      return selectFrom(fitting, select, all === true)
    }
  },
}

/** No item without the word, and no tree without an item. */
const itemsOf = perPage(page => (/itemscope/i.test(page.html) ? microdataOf(page.tree(), page.url) : []))
