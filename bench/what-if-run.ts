import { crawl, type JobInput } from '../src/index.ts'
import { fields } from './crawl-job.ts'
import type { RealSetting } from './what-if-real.ts'

/** Real pages through Millrace as a whole. Says what the run measured of itself to the process that started it. */
const [text = '{}'] = process.argv.slice(2)
const { base, pages, threads, inFlight, perHost, ratePerSecond, readerMs, proxies }: RealSetting = JSON.parse(text)
const job: JobInput = {
  name: 'what-if',
  seeds: Array.from({ length: pages }, (_, nth) => `${base}/${nth}`),
  item: fields,
  limits: {
    perHost: perHost ?? { policy: 'fixed', max: inFlight },
    rate: ratePerSecond === undefined ? 'none' : { perSecond: ratePerSecond, burst: 1 },
    delayMs: 0,
    inFlight,
  },
  ...(proxies !== undefined && { proxies: { list: [...proxies], perProxy: 1 } }),
}
const run = crawl(job, { threads })
// A reader who is busy with each item, as one is who writes to a database that takes one at a time.
if (readerMs !== undefined) for await (const _ of run) await new Promise(resolve => setTimeout(resolve, readerMs))
const { profile } = await run.finished()
process.send?.(profile)
process.disconnect?.()
