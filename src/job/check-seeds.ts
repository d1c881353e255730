import { resolve } from 'node:path'
import { sendableUrl } from '../core/url.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { SitemapRule } from '../stage/sitemap-stage.ts'
import { checkSitemap } from './check-sitemap.ts'
import type { Seed, SeedSource } from './job.ts'
import type { Path, Problems } from './problems.ts'
import { type SeedShape, seedOf } from './seed-shape.ts'
import { didYouMean } from './shape.ts'

/** What is wrong with a seed, as the rest of a sentence; null when nothing is. Files of seeds are read by this too. */
export function seedProblem(seed: Seed, pages: readonly Pick<PageRule, 'name'>[]): string | null {
  if (sendableUrl(seed.url) === null)
    return `${JSON.stringify(seed.url)} is not a URL; expected an absolute one that begins with http:// or https://`
  const names = pages.map(({ name }) => name)
  if (seed.page === null || names.includes(seed.page)) return null
  return `no page rule is called ${JSON.stringify(seed.page)}; ${didYouMean(seed.page, names) ?? `there is ${names.join(', ')}`}`
}

/** @param form of the seeds that these keys are of; null: this seed has it */
function misplaced(keys: Readonly<Record<string, unknown>>, form: string | null, path: Path, problems: Problems): void {
  if (form === null) return
  for (const [key, value] of Object.entries(keys))
    if (value !== undefined) problems.say([...path, key], `this key is of ${form}`)
}

function checkSeed(
  written: SeedShape,
  pages: readonly PageRule[],
  baseDir: string,
  path: Path,
  sitemaps: SitemapRule[],
  problems: Problems,
): SeedSource | null {
  const whole: Exclude<SeedShape, string> = typeof written === 'string' ? { url: written } : written
  const { url, from, column, delimiter, sitemap, of, since, ...more } = whole
  if ([url, from, sitemap].filter(form => form !== undefined).length !== 1) {
    problems.refuse(path, written, 'a URL, { url, page }, { from: file } or { sitemap: URL }')
    return null
  }
  misplaced({ column, delimiter }, from === undefined ? '{ from: file }' : null, path, problems)
  misplaced({ of, since }, sitemap === undefined ? '{ sitemap: URL }' : null, path, problems)
  if (sitemap !== undefined) return checkSitemap(whole, pages, path, sitemaps, problems)
  if (from !== undefined) {
    for (const key of Object.keys(more))
      problems.say([...path, key], `a file says this line by line: {"url": ..., "${key}": ...}`)
    if (delimiter !== undefined && column === undefined)
      problems.say([...path, 'delimiter'], 'it is of tables: say which `column` the URLs are in')
    const csv = column === undefined ? null : { column, delimiter: delimiter ?? null }
    return { kind: 'file', path: from === '-' ? '-' : resolve(baseDir, from), ...(csv !== null && { csv }) }
  }
  const seed = seedOf({ url: url ?? '', ...more })
  const sentence = seedProblem(seed, pages)
  if (sentence !== null) problems.say(path, sentence)
  return { kind: 'url', seed }
}

export function checkSeeds(
  written: readonly SeedShape[] | undefined,
  pages: readonly PageRule[],
  baseDir: string,
  problems: Problems,
): readonly SeedSource[] {
  if (written === undefined || written.length === 0) {
    problems.refuse(['seeds'], written, 'one URL at least')
    return []
  }
  const sitemaps: SitemapRule[] = []
  return written.flatMap((seed, index) => {
    const source = checkSeed(seed, pages, baseDir, ['seeds', index], sitemaps, problems)
    return source === null ? [] : [source]
  })
}
