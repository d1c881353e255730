import type { HostPolicy, Job } from '../job/job.ts'
import { noBudget } from '../scope/crawl-rules.ts'

/** As many requests at a time as are asked for, whenever they are: there is no host to be polite to. */
export const unpaced = (inFlight: number): HostPolicy => ({
  perHost: { policy: 'fixed', max: inFlight },
  rate: null,
  delayMs: { min: 0, max: 0 },
})

/**
 * A job that is measured: nobody outside of this machine is asked or sent anything, nothing outlives the run, and no page
 * counts for less because of another one.
 */
export const aloneJobOf = (job: Job): Job => ({
  ...job,
  limits: { ...job.limits, perDomain: null, perAddress: null },
  sameContent: 'keep',
  traps: null,
  budget: noBudget,
  cache: null,
  http2: false,
  proxies: { ...job.proxies, list: [] },
  output: { ...job.output, warc: null },
  webhook: null,
})
