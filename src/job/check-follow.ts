import { checkedSelector } from '../extract/check-item.ts'
import type { FollowRule, PageRule } from '../extract/page-rule.ts'
import { checkPattern } from '../scope/pattern.ts'
import type { PageShape } from './page-shape.ts'
import { type Path, type Problems, pathText } from './problems.ts'

const plainRule: FollowRule = { match: null, page: null, priority: null }

/** The selectors of `follow`, and what is wanted of their links where any of them says so. */
export function checkFollow(
  written: PageShape['follow'],
  path: Path,
  problems: Problems,
): Pick<PageRule, 'follow' | 'followRules'> {
  const isSingle = !Array.isArray(written)
  const entries = written === undefined ? [] : [written].flat()
  const read = entries.map((entry, index) => {
    const place = [...path, 'follow', ...(isSingle ? [] : [index])]
    const {
      selector,
      match = null,
      page = null,
      priority = null,
    } = typeof entry === 'string' ? { selector: entry } : entry
    problems.attempt(() =>
      checkedSelector(selector, pathText(typeof entry === 'string' ? place : [...place, 'selector'])),
    )
    if (match !== null) problems.attempt(() => checkPattern(match, pathText([...place, 'match'])))
    return { selector: selector ?? '', rule: { match, page, priority } }
  })
  const follow = read.map(({ selector }) => selector)
  if (entries.every(entry => typeof entry === 'string')) return { follow }
  return { follow, followRules: read.map(({ rule }) => ({ ...plainRule, ...rule })) }
}
