import { hostKey } from '../core/url.ts'
import type { Job, Output } from '../job/job.ts'
import { productToken } from '../robots/product-token.ts'
import type { LineFormat } from '../stage/line-format.ts'
import type { SitemapRule } from '../stage/sitemap-stage.ts'
import type { StageRules } from '../stage/stage.ts'

/** Seeds that want the same of their sitemaps share a rule. */
const sitemapRulesOf = ({ seeds }: Job): readonly SitemapRule[] => [
  ...new Map(seeds.flatMap(source => (source.kind === 'sitemap' ? [[source.rule.name, source.rule]] : []))).values(),
]

/** Tables of other kinds than CSV are made of lines of JSON, in threads of their own. */
export const lineFormatOf = ({ format, columns, guardFormulas }: Output): LineFormat =>
  format === 'csv' ? { kind: 'csv', columns, guard: guardFormulas } : { kind: 'jsonl' }

function outputRulesOf({ output, userAgent }: Job): Pick<StageRules, 'charset' | 'ids' | 'lines' | 'archive'> {
  const { charset, ids, warc } = output
  const archive = warc === null ? {} : { archive: { userAgent, compress: warc.endsWith('.gz') } }
  return { charset, ids, lines: lineFormatOf(output), ...archive }
}

/**
 * The part of a job that travels to the workers. Only seeds written in the job count as its hosts: those of a file are
 * not known before it is read, and a page may always lead on to its own host.
 */
export function stageRulesOf(job: Job): StageRules {
  const { pages, scope, limits, seeds, redirects, proxies, audit, urls } = job
  const { nofollow, canonical, sameContent, traps, writtenIn } = job
  const hosts = seeds.flatMap(source => (source.kind === 'file' ? [] : [hostKey(new URL(source.seed.url))]))
  return {
    writtenIn,
    pages,
    scope,
    seedHosts: [...new Set(hosts)],
    urls,
    sitemaps: sitemapRulesOf(job),
    nofollow,
    canonical,
    sameContent,
    traps,
    robotsToken: productToken(job.userAgent),
    bodyBytes: limits.bodyBytes,
    metaRefresh: redirects.metaRefresh,
    ...outputRulesOf(job),
    blockSigns: proxies.blockSigns,
    audit,
  }
}
