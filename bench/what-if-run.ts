import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl, type JobInput } from '../src/index.ts'
import { fields } from './crawl-job.ts'
import type { RealSetting } from './what-if-real.ts'

/** Real pages through Millrace as a whole. Says what the run measured of itself to the process that started it. */
const [text = '{}'] = process.argv.slice(2)
const { base, pages, threads, inFlight, perHost, ratePerSecond, treesEach, reader, sinkMs, proxies }: RealSetting =
  JSON.parse(text)
const module = new URL('what-if-module.ts', import.meta.url).pathname
const job: JobInput = {
  name: 'what-if',
  seeds: Array.from({ length: pages }, (_, nth) => ({
    url: `${base}/${nth}`,
    ...(treesEach !== undefined && { meta: { times: treesEach } }),
  })),
  ...(treesEach === undefined ? { item: fields } : { module }),
  limits: {
    perHost: perHost ?? { policy: 'fixed', max: inFlight },
    rate: ratePerSecond === undefined ? 'none' : { perSecond: ratePerSecond, burst: 1 },
    delayMs: 0,
    inFlight,
  },
  ...(proxies !== undefined && { proxies: { list: [...proxies], perProxy: 1 } }),
}

/** One who writes to a database that takes one item at a time, or reckons something of each. */
async function read({ waitMs = 0, busyMs = 0 }: NonNullable<RealSetting['reader']>): Promise<void> {
  if (waitMs > 0) await sleep(waitMs)
  const untilMs = performance.now() + busyMs
  while (performance.now() < untilMs) JSON.stringify(fields)
}

/** Takes as long over a write as over its items one by one. */
const outputOf = (eachMs: number): Writable =>
  new Writable({
    // Each write is waited for.
    highWaterMark: 1,
    write(lines: Buffer, _, done) {
      const items = lines.toString('latin1').split('\n').length - 1
      setTimeout(done, items * eachMs)
    },
  })

const run = crawl(job, { threads, ...(sinkMs !== undefined && { items: outputOf(sinkMs) }) })
if (reader !== undefined) for await (const _ of run) await read(reader)
const { profile } = await run.finished()
process.send?.(profile)
process.disconnect?.()
