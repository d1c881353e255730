import { checkJob } from '../job/check-job.ts'
import type { JobInput } from '../job/define-job.ts'
import type { HostPolicy, Job } from '../job/job.ts'
import { noBudget } from '../scope/crawl-rules.ts'

/** The page rule of pages that are made. */
export const madeRule = 'offers'

const ownJob: JobInput = {
  name: 'bench',
  seeds: ['http://127.0.0.1/'],
  pages: [
    {
      name: madeRule,
      item: {
        title: 'title',
        heading: 'h1',
        total: { selector: '.total', type: 'number' },
        canonical: { selector: 'link[rel=canonical]', value: 'href' },
        offers: [
          {
            selector: 'li.offer',
            value: {
              name: 'a',
              url: { selector: 'a', value: 'href', type: 'url' },
              price: { selector: '.price', type: 'number' },
            },
          },
        ],
      },
    },
  ],
}

export const ownBenchJob = (): Job => checkJob(ownJob, { path: 'bench', baseDir: '.' })

/**
 * A job as it is benched: its page rules, its schema, its modules, its output and its clocks stay; whom it asks, through
 * whom and how politely does not, since there is but the built-in server to ask. Links are found, judged and routed as
 * ever, and none is followed.
 */
export function benchJobOf(job: Job, origin: string, concurrency: number): Job {
  const open: HostPolicy = { perHost: { policy: 'fixed', max: concurrency }, rate: null, delayMs: { min: 0, max: 0 } }
  return {
    ...job,
    seeds: [{ kind: 'file', path: '-' }],
    scope: { ...job.scope, within: 'any', include: [`${origin}/no-link-leads-here`], exclude: [] },
    limits: { ...job.limits, ...open, inFlight: concurrency, perDomain: null, perAddress: null, globalRate: null },
    loopback: open,
    hosts: {},
    robots: { ignoreFor: [new URL(origin).host] },
    redirects: { ...job.redirects, metaRefresh: false },
    contentTypes: { accept: [], refuse: [] },
    nofollow: 'ignore',
    canonical: 'ignore',
    sameContent: 'keep',
    traps: null,
    budget: noBudget,
    cache: null,
    http2: false,
    proxies: { ...job.proxies, list: [] },
    output: { ...job.output, warc: null },
    webhook: null,
  }
}
