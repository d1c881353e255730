import { Readable } from 'node:stream'
import { MillraceError } from '../core/errors.ts'
import type { Job } from '../job/job.ts'
import { readInputs } from '../run/inputs.ts'
import { stageRulesOf } from '../run/stage-rules.ts'
import { createRoutes } from '../scope/routes.ts'
import { madePage } from './made-page.ts'
import type { ServedPage } from './page-server.ts'

/** Pages to serve, each with the page rule that is to read it. */
export interface GivenPages {
  readonly pages: readonly ServedPage[]
  readonly rules: readonly string[]
  readonly meanBytes: number
}

/** Many enough that none is read from a cache of the processor, and few enough for the memory of one process. */
const mostPages = 2_000
const mostBytes = 256_000_000
const madePages = 16

const given = (pages: readonly ServedPage[], rules: readonly string[]): GivenPages => ({
  pages,
  rules,
  meanBytes: pages.reduce((sum, { body }) => sum + body.byteLength, 0) / Math.max(1, pages.length),
})

export function makePages(pageBytes: number, weight: number, rule: string): GivenPages {
  const pages = Array.from({ length: madePages }, (_, nth) => ({
    body: new TextEncoder().encode(madePage(pageBytes, weight, nth)),
    contentType: 'text/html; charset=utf-8',
    contentCoding: '',
  }))
  return given(
    pages,
    pages.map(() => rule),
  )
}

/**
 * The pages of a job that lie in files, folders, JSON lines or web archives, each with the first page rule that fits the
 * URL it came from.
 * @throws CONFIG_INVALID nothing in there can be read by the job
 */
export async function readPages(job: Job, paths: readonly string[]): Promise<GivenPages> {
  const routes = createRoutes(job.pages, job.scope, stageRulesOf(job).seedHosts, job.urls)
  const [only, ...others] = job.pages
  const ruleOf = (url: string): string | null =>
    routes.pageOf(new URL(url)) ?? (others.length === 0 ? (only?.name ?? null) : null)
  const pages: ServedPage[] = []
  const rules: string[] = []
  let bytes = 0
  for await (const input of readInputs(paths, { stdin: Readable.from([]), replay: false, baseUrl: null })) {
    if ('reason' in input) continue
    const rule = input.page ?? ruleOf(input.finalUrl)
    if (rule === null || !job.pages.some(({ name }) => name === rule)) continue
    if (pages.length === mostPages || bytes + input.body.byteLength > mostBytes) break
    pages.push(input)
    rules.push(rule)
    bytes += input.body.byteLength
  }
  if (pages.length === 0)
    throw new MillraceError(
      'CONFIG_INVALID',
      `no page rule of ${job.name} fits any page in ${paths.join(', ')}: files, folders, .jsonl of { url, html } and .warc are accepted`,
    )
  return given(pages, rules)
}
