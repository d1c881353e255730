import { hostKey } from '../core/url.ts'
import type { Job } from '../job/job.ts'
import type { StageRules } from '../stage/stage.ts'

/**
 * The part of a job that travels to the workers. Only seeds written in the job count as its hosts: those of a file are
 * not known before it is read, and a page may always lead on to its own host.
 */
export function stageRulesOf({ pages, scope, limits, seeds, redirects }: Job): StageRules {
  const seedHosts = new Set(seeds.flatMap(source => (source.kind === 'url' ? [hostKey(new URL(source.seed.url))] : [])))
  return { pages, scope, seedHosts: [...seedHosts], bodyBytes: limits.bodyBytes, metaRefresh: redirects.metaRefresh }
}
