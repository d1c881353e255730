import { linearRegexOf } from '../core/linear-regex.ts'
import type { BlockSign } from '../core/wire.ts'
import { checkItem } from '../extract/check-item.ts'
import { type Engine, type PageSource, readRequestOf } from '../extract/engine.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { BlockSignRule } from '../job/job.ts'

/** The first sign, in the order of the job, that a page bears; null: none. */
export type BlockSigns = (page: PageSource, url: string) => BlockSign | null

type Test = (page: PageSource, found: Readonly<Record<string, unknown>>) => boolean

/**
 * Selectors are read as fields of one item are, all in one pass, and only where the job has any. Patterns run in linear
 * time where they can; one that cannot is under the deadline of the page.
 * @param engineFor makes a page rule ready
 */
export function createBlockSigns(rules: readonly BlockSignRule[], engineFor: (rule: PageRule) => Engine): BlockSigns {
  if (rules.length === 0) return () => null
  const selectors = rules.flatMap(({ selector }, index) =>
    selector === null ? [] : [[`sign${index}`, { selector, value: 'tagName' }] as const],
  )
  const engine =
    selectors.length === 0
      ? null
      : engineFor({
          name: 'block signs',
          match: null,
          item: checkItem(Object.fromEntries(selectors), 'proxies.blockSigns'),
          follow: [],
          parser: 'fast',
        })
  const tests = rules.map(({ pattern }, index): Test => {
    if (pattern === null) return (_, found) => typeof found[`sign${index}`] === 'string'
    const regex = linearRegexOf(pattern, 'iu') ?? new RegExp(pattern, 'iu')
    return page => regex.test(page.text)
  })
  return (page, url) => {
    const found = engine?.read(readRequestOf(page, { url, wantLinks: false })).item ?? {}
    const rule = rules[tests.findIndex(test => test(page, found))]
    return rule === undefined ? null : { name: rule.name, isLie: rule.isLie }
  }
}
