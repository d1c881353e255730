import { checkedSelector } from '../extract/check-item.ts'
import { withFollow } from '../extract/follow-field.ts'
import type { FollowRule, PageRule } from '../extract/page-rule.ts'
import { checkPattern } from '../scope/pattern.ts'
import type { PageShape } from './page-shape.ts'
import { type Path, type Problems, pathText } from './problems.ts'

type Rule = Pick<PageRule, 'item' | 'items' | 'follow' | 'followRules'>

interface Entry {
  readonly place: Path
  /** Null: a field. */
  readonly selector: string | null
  readonly field: string | null
  readonly rule: FollowRule
}

/**
 * What a page rule follows: the selectors of `follow` with what is wanted of their links where any of them says so, and
 * its fields that are links, which are marked as such.
 * @param names of the page rules
 */
export function checkFollow(
  written: PageShape['follow'],
  { item, items }: Pick<PageRule, 'item' | 'items'>,
  path: Path,
  problems: Problems,
  names: readonly string[],
): Rule {
  const isSingle = !Array.isArray(written)
  const list = written === undefined ? [] : [written].flat()
  const entries = list.map((entry, index) => {
    const place = [...path, 'follow', ...(isSingle ? [] : [index])]
    return checkEntry(
      typeof entry === 'string' ? { selector: entry } : entry,
      typeof entry === 'string',
      place,
      problems,
    )
  })
  const ofSelectors = entries.filter(({ field }) => field === null)
  const ofFields = entries.filter(({ field }) => field !== null)
  const follow = ofSelectors.map(({ selector }) => selector ?? '')
  for (const { place, rule } of entries)
    if (rule.page !== null && !names.includes(rule.page))
      problems.refuse([...place, 'page'], rule.page, `a page rule: ${names.join(', ')}`)
  const schemas = { item, ...(items !== undefined && { items }) }
  if (list.every(entry => typeof entry === 'string')) return { ...schemas, follow }
  let marked: Pick<PageRule, 'item' | 'items'> = schemas
  for (const [nth, entry] of ofFields.entries()) marked = markField(marked, entry, ofSelectors.length + nth, problems)
  return { ...marked, follow, followRules: [...ofSelectors, ...ofFields].map(({ rule }) => rule) }
}

function checkEntry(
  entry: Exclude<Exclude<PageShape['follow'], string | undefined>, readonly unknown[]>,
  isText: boolean,
  place: Path,
  problems: Problems,
): Entry {
  const { selector, field, match = null, page = null, priority = null } = entry
  if (field !== undefined && selector !== undefined)
    problems.say([...place, 'field'], 'links are those of a selector or those of a field; give one of them')
  else if (field === undefined)
    problems.attempt(() => checkedSelector(selector, pathText(isText ? place : [...place, 'selector'])))
  if (match !== null) problems.attempt(() => checkPattern(match, pathText([...place, 'match'])))
  return { place, selector: selector ?? null, field: field ?? null, rule: { match, page, priority } }
}

function markField(
  { item, items }: Pick<PageRule, 'item' | 'items'>,
  { place, field }: Entry,
  rule: number,
  problems: Problems,
): Pick<PageRule, 'item' | 'items'> {
  const unchanged = { item, ...(items !== undefined && { items }) }
  const schema = items?.item ?? item
  if (schema === null || field === null) {
    // What is wrong with an item has been said already.
    return unchanged
  }
  const marked = withFollow(schema, field.split('.'), { rule })
  if (marked.kind === 'refused') {
    const { reason, names } = marked
    problems.refuse([...place, 'field'], field, names.length === 0 ? reason : `${reason}: ${names.join(', ')}`)
    return unchanged
  }
  return items === undefined ? { item: marked.schema } : { item, items: { ...items, item: marked.schema } }
}
