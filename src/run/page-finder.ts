import { type Fault, faultOf } from '../core/errors.ts'
import type { Job } from '../job/job.ts'
import { createRoutes } from '../scope/routes.ts'
import type { ParseInput } from './page-input.ts'
import { stageRulesOf } from './stage-rules.ts'

/** The name of the page rule that reads a page: the one that it asks for, or the first that fits. */
export type PageFinder = (page: Pick<ParseInput, 'page' | 'url'>) => string | Fault

export function pageFinderOf(job: Job): PageFinder {
  const routes = createRoutes(job.pages, job.scope, stageRulesOf(job).seedHosts)
  return ({ page, url }) => {
    const address = URL.parse(url)
    if (address === null) return faultOf('CONFIG_INVALID', `url: ${url} is no URL; accepted: an absolute one`)
    const name = page ?? routes.pageOf(address)
    if (name !== null && job.pages.some(rule => rule.name === name)) return name
    const why = page === undefined ? `no page rule fits ${url}` : `${url}: no page rule is called "${page}"`
    return faultOf('CONFIG_INVALID', why)
  }
}
