import { asksAnswer } from '../extract/asks-answer.ts'
import type { Job } from '../job/job.ts'
import type { Budget } from '../scope/crawl-rules.ts'

/** What a run may spend: what its job says, and what whoever started it does. */
export function budgetOf({ budget }: Job, maxPages: number | undefined): Budget {
  const pages = Math.min(budget.pages ?? Number.POSITIVE_INFINITY, maxPages ?? Number.POSITIVE_INFINITY)
  return { ...budget, pages: pages === Number.POSITIVE_INFINITY ? null : pages }
}

/** Whether the parse stage looks at the headers of these pages: headers of millions of pages need not cross a thread. */
export function readsHeaders({ pages, nofollow, canonical, output }: Job): (name: string) => boolean {
  if (output.warc !== null || nofollow === 'obey' || canonical !== 'ignore') return () => true
  const asking = new Set(pages.filter(asksAnswer).map(({ name }) => name))
  return name => asking.has(name)
}
