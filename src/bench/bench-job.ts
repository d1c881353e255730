import { checkJob } from '../job/check-job.ts'
import type { JobInput } from '../job/define-job.ts'
import type { Job } from '../job/job.ts'
import { aloneJobOf, unpaced } from './alone-job.ts'

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
  const alone = aloneJobOf(job)
  const open = unpaced(concurrency)
  return {
    ...alone,
    seeds: [{ kind: 'file', path: '-' }],
    scope: { ...job.scope, within: 'any', include: [`${origin}/no-link-leads-here`], exclude: [] },
    limits: { ...alone.limits, ...open, inFlight: concurrency, globalRate: null },
    loopback: open,
    hosts: {},
    robots: { ignoreFor: [new URL(origin).host] },
    redirects: { ...job.redirects, metaRefresh: false },
    contentTypes: { accept: [], refuse: [] },
    nofollow: 'ignore',
    canonical: 'ignore',
  }
}
