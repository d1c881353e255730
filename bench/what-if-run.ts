import { crawl } from '../src/index.ts'
import { benchJob } from './crawl-job.ts'

/** Real pages through Millrace as a whole. Says what the run measured of itself to the process that started it. */
const [base = '', count = '0', threads = '1', inFlight = '64'] = process.argv.slice(2)
const urls = Array.from({ length: Number(count) }, (_, nth) => `${base}/${nth}`)
const { profile } = await crawl(benchJob(urls, Number(inFlight)), { threads: Number(threads) }).finished()
process.send?.(profile)
process.disconnect?.()
