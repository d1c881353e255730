import { resolve } from 'node:path'
import { isSitemapPage, robotsPage, startPage } from '../core/task.ts'
import { checkedSelector, checkItem } from '../extract/check-item.ts'
import { followedPages } from '../extract/followed-pages.ts'
import type { ItemsRule, PageRule } from '../extract/page-rule.ts'
import { checkPattern } from '../scope/pattern.ts'
import { checkFollow } from './check-follow.ts'
import { checkPageHeaders } from './check-headers.ts'
import { defaultPageName } from './defaults.ts'
import type { Job } from './job.ts'
import type { JobShape } from './job-shape.ts'
import type { PageShape } from './page-shape.ts'
import { type Path, type Problems, pathText } from './problems.ts'

/** Names that pages of our own have: a rule of that name would be taken for one of them. */
const reservedNames: readonly string[] = [startPage, robotsPage]

/** Node strips types from these, and reads the others as they are. */
const moduleName = /\.[cm]?[jt]s$/i

function checkModule(file: string | undefined, baseDir: string, path: Path, problems: Problems): string | null {
  if (file === undefined) return null
  if (!moduleName.test(file))
    problems.refuse(path, file, 'a file whose name ends in .ts, .mts, .js or .mjs, exporting `parse(page)`')
  return resolve(baseDir, file)
}

function checkItems(items: PageShape['items'], path: Path, problems: Problems): ItemsRule | null {
  if (items === undefined) return null
  const { required = false } = items
  const selector = problems.attempt(() => checkedSelector(items.selector, pathText([...path, 'selector'])))
  const item = problems.attempt(() => checkItem(items.item, pathText([...path, 'item'])))
  return selector === null || item === null ? null : { selector, item, required }
}

function checkPage(
  written: PageShape,
  path: Path,
  baseDir: string,
  names: readonly string[],
  problems: Problems,
): PageRule {
  const name = written.name ?? defaultPageName
  const { match = null, item, parser = 'fast' } = written
  if (reservedNames.includes(name) || isSitemapPage(name))
    problems.refuse([...path, 'name'], name, 'another name: this one has a meaning of its own')
  if (match !== null) problems.attempt(() => checkPattern(match, pathText([...path, 'match'])))
  const place = pathText([...path, 'item'])
  const module = checkModule(written.module, baseDir, [...path, 'module'], problems)
  const items = checkItems(written.items, [...path, 'items'], problems)
  if (module !== null && (item !== undefined || written.items !== undefined))
    problems.say([...path, 'module'], 'a page is read by its `item` or by its `module`; give one of them')
  if (item !== undefined && written.items !== undefined)
    problems.say([...path, 'items'], 'a page has one `item` or several `items`; give one of them')
  const schema = item === undefined ? null : problems.attempt(() => checkItem(item, place))
  const schemas = { item: schema, ...(items !== null && { items }) }
  if (item === undefined && written.items === undefined) checkNoFields(written.follow, path, problems)
  return {
    name,
    match,
    ...checkFollow(written.follow, schemas, path, problems, names),
    parser,
    ...(written.priority !== undefined && { priority: written.priority }),
    ...(module !== null && { module }),
  }
}

/** Fields can be followed only where there are some. */
function checkNoFields(follow: PageShape['follow'], path: Path, problems: Problems): void {
  for (const entry of [follow ?? []].flat())
    if (typeof entry !== 'string' && entry.field !== undefined)
      problems.say([...path, 'follow'], 'a `field` is one of `item` or `items`, and this page has neither')
}

/** Headers by the name of their page. At the top of a job they are those of the whole job. */
export function checkHeadersOfPages({ pages = [] }: JobShape, problems: Problems): Job['pageHeaders'] {
  const written = pages.flatMap(({ name, headers }, index) =>
    headers === undefined || name === undefined
      ? []
      : [[name, checkPageHeaders(headers, ['pages', index, 'headers'], problems)] as const],
  )
  return Object.fromEntries(written)
}

const topLevelKeys = ['item', 'items', 'follow', 'parser', 'module'] as const
/** A rule has one of these, or does nothing. */
const readingKeys = ['item', 'items', 'follow', 'module'] as const

/** The rules of `pages`, or the one rule of a job that has its `item` and `follow` at the top level. */
export function checkPages(job: JobShape, baseDir: string, problems: Problems): readonly PageRule[] {
  const atTop = topLevelKeys.filter(key => job[key] !== undefined)
  if (job.pages === undefined) {
    if (readingKeys.every(key => job[key] === undefined))
      problems.say(['pages'], 'nothing says how pages are read; give `pages`, or `item` and `follow` if all are alike')
    const { item, items, follow, parser, module } = job
    return checkFollowed(
      [checkPage({ item, items, follow, parser, module }, [], baseDir, [defaultPageName], problems)],
      () => [],
      problems,
    )
  }
  for (const key of atTop) problems.say([key], 'this belongs to a page rule where there are `pages`; move it into one')
  if (job.pages.length === 0) problems.refuse(['pages'], [], 'one page rule at least')
  const names = new Set<string>()
  const all = job.pages.map(({ name }) => name ?? defaultPageName)
  const rules = job.pages.map((page, index) => {
    const path = ['pages', index]
    if (page.name === undefined) problems.refuse([...path, 'name'], undefined, 'a name for this kind of page')
    else if (names.has(page.name))
      problems.say([...path, 'name'], `another page is called ${JSON.stringify(page.name)} too`)
    names.add(page.name ?? '')
    if (readingKeys.every(key => page[key] === undefined))
      problems.say(path, 'this page would be fetched for nothing; give `item`, `follow` or both')
    return checkPage(page, path, baseDir, all, problems)
  })
  return checkFollowed(rules, index => ['pages', index], problems)
}

/** Fields may name the page rule that reads where they lead. */
function checkFollowed(
  rules: readonly PageRule[],
  placeOf: (index: number) => Path,
  problems: Problems,
): readonly PageRule[] {
  const names = rules.map(({ name }) => name)
  for (const [index, rule] of rules.entries())
    for (const { path, page } of followedPages(rule))
      if (!names.includes(page))
        problems.refuse([...placeOf(index), ...path, 'follow'], page, `true, or a page rule: ${names.join(', ')}`)
  return rules
}
