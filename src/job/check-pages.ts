import { resolve } from 'node:path'
import { robotsPage, startPage } from '../core/task.ts'
import { checkedSelector, checkItem } from '../extract/check-item.ts'
import type { PageRule } from '../extract/page-rule.ts'
import { checkPattern } from '../scope/pattern.ts'
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

function checkPage(written: PageShape, path: Path, baseDir: string, problems: Problems): PageRule {
  const name = written.name ?? defaultPageName
  const { match = null, item, parser = 'fast' } = written
  const isSingle = typeof written.follow === 'string'
  const follow = [written.follow ?? []].flat()
  if (reservedNames.includes(name))
    problems.refuse([...path, 'name'], name, 'another name: this one has a meaning of its own')
  if (match !== null) problems.attempt(() => checkPattern(match, pathText([...path, 'match'])))
  for (const [index, selector] of follow.entries())
    problems.attempt(() => checkedSelector(selector, pathText([...path, 'follow', ...(isSingle ? [] : [index])])))
  const place = pathText([...path, 'item'])
  const module = checkModule(written.module, baseDir, [...path, 'module'], problems)
  if (item !== undefined && module !== null)
    problems.say([...path, 'module'], 'a page is read by its `item` or by its `module`; give one of them')
  return {
    name,
    match,
    item: item === undefined ? null : problems.attempt(() => checkItem(item, place)),
    follow,
    parser,
    ...(module !== null && { module }),
  }
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

const topLevelKeys = ['item', 'follow', 'parser', 'module'] as const

/** The rules of `pages`, or the one rule of a job that has its `item` and `follow` at the top level. */
export function checkPages(job: JobShape, baseDir: string, problems: Problems): readonly PageRule[] {
  const atTop = topLevelKeys.filter(key => job[key] !== undefined)
  if (job.pages === undefined) {
    if (job.item === undefined && job.follow === undefined && job.module === undefined)
      problems.say(['pages'], 'nothing says how pages are read; give `pages`, or `item` and `follow` if all are alike')
    const { item, follow, parser, module } = job
    return [checkPage({ item, follow, parser, module }, [], baseDir, problems)]
  }
  for (const key of atTop) problems.say([key], 'this belongs to a page rule where there are `pages`; move it into one')
  if (job.pages.length === 0) problems.refuse(['pages'], [], 'one page rule at least')
  const names = new Set<string>()
  return job.pages.map((page, index) => {
    const path = ['pages', index]
    if (page.name === undefined) problems.refuse([...path, 'name'], undefined, 'a name for this kind of page')
    else if (names.has(page.name))
      problems.say([...path, 'name'], `another page is called ${JSON.stringify(page.name)} too`)
    names.add(page.name ?? '')
    if (page.item === undefined && page.follow === undefined && page.module === undefined)
      problems.say(path, 'this page would be fetched for nothing; give `item`, `follow` or both')
    return checkPage(page, path, baseDir, problems)
  })
}
