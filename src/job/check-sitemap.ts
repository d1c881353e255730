import { sitemapPage } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { PageRule } from '../extract/page-rule.ts'
import { isSinceDate } from '../scope/changed-since.ts'
import type { SitemapRule } from '../stage/sitemap-stage.ts'
import type { SeedSource } from './job.ts'
import type { Path, Problems } from './problems.ts'
import { type SeedShape, seedOf, sinceText } from './seed-shape.ts'
import { didYouMean } from './shape.ts'

type Written = Exclude<SeedShape, string>

/** Where the robots file of a site is. */
const robotsOf = (site: URL): string => new URL('/robots.txt', site.origin).href

function addressOf({ sitemap = '', of }: Written, path: Path, problems: Problems): string | null {
  if (sitemap !== 'robots') {
    if (of !== undefined)
      problems.say([...path, 'of'], 'it says whose robots file names the sitemaps: `sitemap: robots`')
    if (sendableUrl(sitemap) !== null) return sitemap
    problems.refuse([...path, 'sitemap'], sitemap, 'an absolute http: or https: URL, or `robots` with `of`')
    return null
  }
  const site = sendableUrl(of ?? '')
  if (site !== null) return robotsOf(site)
  problems.refuse(
    [...path, 'of'],
    of,
    'the absolute http: or https: URL of the site whose robots file names its sitemaps',
  )
  return null
}

/** A rule for each two things that seeds want of sitemaps, by the names that their tasks have. */
function ruleOf(since: string | null, page: string | null, rules: SitemapRule[]): SitemapRule {
  const known = rules.find(rule => rule.since === since && rule.page === page)
  if (known !== undefined) return known
  const rule = { name: rules.length === 0 ? sitemapPage : `${sitemapPage} ${rules.length + 1}`, since, page }
  rules.push(rule)
  return rule
}

/** @param rules those of the seeds before it; one more may join them */
export function checkSitemap(
  written: Written,
  pages: readonly Pick<PageRule, 'name'>[],
  path: Path,
  rules: SitemapRule[],
  problems: Problems,
): SeedSource | null {
  const { since = null, page = null, session, geo, meta, priority } = written
  const names = pages.map(({ name }) => name)
  if (page !== null && !names.includes(page))
    problems.say(
      [...path, 'page'],
      `no page rule is called ${JSON.stringify(page)}; ${didYouMean(page, names) ?? `there is ${names.join(', ')}`}`,
    )
  if (since !== null && !isSinceDate(since)) problems.refuse([...path, 'since'], since, sinceText)
  const url = addressOf(written, path, problems)
  if (url === null) return null
  const rule = ruleOf(since, page, rules)
  return { kind: 'sitemap', seed: seedOf({ url, page: rule.name, session, geo, meta, priority }), rule }
}
