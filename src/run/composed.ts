import type { Stop } from '../crawl/crawl.ts'
import type { HostReport, Report } from '../observe/report.ts'
import type { Progress } from './progress.ts'
import { noProxies, type ProxyControl } from './run-proxies.ts'

/** One run, with all its parts made and wired. */
export interface Composed {
  run(stop: Stop): Promise<Report>
  progress(): Progress
  hosts(): readonly HostReport[]
  explain(url: string): string
  readonly proxies: ProxyControl
}

/** A run that has ended is not done again. */
export function alreadyFinished(report: Report): Composed {
  const { discovered, failed } = report.ledger
  const progress: Progress = {
    discovered,
    ended: discovered,
    failed,
    pending: 0,
    items: report.items,
    inFlight: 0,
    parseQueue: 0,
  }
  return {
    run: async () => report,
    progress: () => progress,
    hosts: () => report.hosts,
    explain: url => `${url}: this run has ended`,
    proxies: noProxies,
  }
}
