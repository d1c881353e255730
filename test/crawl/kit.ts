import type { LedgerCounts } from '../../src/core/ledger.ts'
import { type CrawlOptions, type CrawlResult, crawl, type JobInput, type Report } from '../../src/index.ts'
import { createSimWeb, type HostModel, type SimWeb } from '../sim/hosts.ts'
import { createSimEnv, type SimEnv } from '../sim/random.ts'

export interface SimRun {
  readonly report: Report
  readonly results: readonly CrawlResult[]
  readonly web: SimWeb
  readonly env: SimEnv
}

export interface SimRunOptions {
  readonly job: JobInput
  readonly hosts: Readonly<Record<string, HostModel>> | ((host: string) => HostModel | null)
  readonly seed?: number
  readonly options?: CrawlOptions
}

/** A whole crawl in simulated time: real frontier, gates, robots, parse stage and spine; only the web is a model. */
export async function simulate({ job, hosts, seed = 1, options = {} }: SimRunOptions): Promise<SimRun> {
  const env = createSimEnv(seed)
  const web = createSimWeb({ env, seed, hosts })
  const run = crawl(job, { env, fetcher: web, threads: 0, ...options })
  const results: CrawlResult[] = []
  const report = await env.clock.run(async () => {
    for await (const result of run) results.push(result)
    return run.finished()
  })
  return { report, results, web, env }
}

export const adds = ({ discovered, done, failed, skipped, pending }: LedgerCounts): boolean =>
  discovered === done + failed + skipped + pending

/** `count` URLs of one host. */
export const urlsOf = (host: string, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `http://${host}/${nth}`)
