// Simulated time moves on while a module is being loaded: the parse stage is loaded beforehand.
import '../../src/module/mill.ts'
import type { LedgerCounts } from '../../src/core/ledger.ts'
import {
  type CrawlOptions,
  type CrawlResult,
  type CrawlRun,
  crawl,
  type JobInput,
  type Report,
} from '../../src/index.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createSimWeb, type HostModel, type SimWeb } from '../sim/hosts.ts'
import { createSimProxies, type ProxyModel, type SimProxies } from '../sim/proxies.ts'
import { createSimEnv, type SimEnv } from '../sim/random.ts'

export interface SimRun {
  readonly report: Report
  readonly results: readonly CrawlResult[]
  readonly web: SimWeb
  readonly proxies: SimProxies
  readonly env: SimEnv
}

export interface SimRunOptions {
  readonly job: JobInput
  readonly hosts: Readonly<Record<string, HostModel>> | ((host: string) => HostModel | null)
  readonly seed?: number
  readonly options?: CrawlOptions
  /** How the proxies of the job behave; left out: they all work. */
  readonly proxies?: ProxyModel
  /** What parses the pages; left out: the real parse stage, in no time. */
  readonly parser?: (env: SimEnv) => Parser
  /** Looks at the run while it goes. */
  readonly during?: (run: CrawlRun, env: SimEnv) => void
}

/** A whole crawl in simulated time: real frontier, gates, robots, parse stage and spine; only the web is a model. */
export async function simulate({
  job,
  hosts,
  seed = 1,
  options = {},
  proxies: model = () => null,
  parser,
  during,
}: SimRunOptions): Promise<SimRun> {
  const env = createSimEnv(seed)
  const web = createSimWeb({ env, seed, hosts })
  const proxies = createSimProxies({ env, web, model })
  const run = crawl(job, { env, fetcher: proxies, threads: 0, ...options, ...(parser && { parser: parser(env) }) })
  const results: CrawlResult[] = []
  const report = await env.clock.run(async () => {
    during?.(run, env)
    for await (const result of run) results.push(result)
    return run.finished()
  })
  return { report, results, web, proxies, env }
}

export const adds = ({ discovered, done, failed, skipped, pending }: LedgerCounts): boolean =>
  discovered === done + failed + skipped + pending

/** `count` URLs of one host. */
export const urlsOf = (host: string, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `http://${host}/${nth}`)
