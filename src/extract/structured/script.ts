import type { WholePageField } from '../whole-page-field.ts'
import { checkCss } from './check-css.ts'
import { blocksSchema, jsonBlocksOf } from './json-blocks.ts'
import { checkJsonPath, createJsonSelect, selectFrom } from './json-path.ts'
import { checkAll } from './options.ts'

/** What frameworks leave in a page for their own scripts. */
const usualSelector = 'script[type="application/json" i]'

/**
 * `{ from: script, selector: '#__NEXT_DATA__', path: $.props.pageProps }`: the JSON that an element holds, of the first one
 * that can be read (`all: true`: of each in turn).
 */
export const script: WholePageField = {
  keys: ['selector', 'path', 'all'],
  check: ({ selector, path, all }, at) => ({
    selector: checkCss(selector, `${at}.selector`) ?? usualSelector,
    path: checkJsonPath(path, `${at}.path`),
    all: checkAll(all, at),
  }),
  needs: ({ selector }) => ({ schema: blocksSchema(selector as string) }),
  create({ selector, path, all }) {
    const schema = blocksSchema(selector as string)
    const select = createJsonSelect(path as string | null)
    return page => selectFrom(jsonBlocksOf(page, schema), select, all === true)
  },
}
