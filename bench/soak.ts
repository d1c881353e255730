import { crawl, defineJob, type JobInput } from '../src/index.ts'
import { startChild } from './child.ts'
import { assertBounds, type Bound, machine } from './machine.ts'
import { realPages } from './pages.ts'
import { memory } from './soak-memory.ts'
import { hostilePool, requestOf } from './soak-pool.ts'

/**
 * What takes longer than a bench should: `node bench/soak.ts [part...]`, all parts unless some are named. No part takes
 * longer than BENCH_PART_MS, three minutes unless given: a run that has more to do is stopped then, and judged by what it
 * has done.
 *
 * - `large`: pages of 20 MB among small ones at 300 requests a second (BENCH_PAGES small ones, 5,000 unless given).
 * - `unclosed`: a page of 40,000 elements that are never closed, and harmless pages behind it, by either parser.
 * - `memory`: what is left of pages of 3 MB of which the title is kept: see `soak-memory.ts`.
 */
const small = Number(process.env.BENCH_PAGES ?? 5_000)
const largeOnes = Math.max(1, Math.round(small / 100))
const partMs = Number(process.env.BENCH_PART_MS ?? 180_000)

async function withServer<T>(use: (base: string) => Promise<T>): Promise<T> {
  using server = await startChild('page-server.ts')
  return await use(`http://127.0.0.1:${(server.first as { readonly port: number }).port}`)
}

const jobOf = (seeds: NonNullable<JobInput['seeds']>, limits: NonNullable<JobInput['limits']>): JobInput =>
  defineJob({
    name: 'soak',
    seeds,
    item: { title: 'title' },
    limits: { delayMs: 0, ...limits },
  })

async function largeAmongSmall(): Promise<readonly Bound[]> {
  return withServer(async base => {
    const every = Math.floor(small / largeOnes)
    const urls = Array.from({ length: small }, (_, nth) => [
      `${base}/${nth}`,
      ...(nth % every === 0 && nth / every < largeOnes ? [`${base}/bytes/20000000/${nth}`] : []),
    ]).flat()
    const perSecond = 300
    const rate = { perMinute: perSecond * 60, burst: 10 }
    const limits = { perHost: { policy: 'fixed' as const, max: 256 }, rate, inFlight: 256, bodyBytes: '32MB' }
    const run = crawl(jobOf(urls, limits), { threads: 2, signal: AbortSignal.timeout(partMs) })
    const { loopDelayMs, cpuMs, ledger, durationMs, bytesIn } = await run.finished()
    console.log(JSON.stringify({ part: 'large', ledger, durationMs, bytesIn, loopDelayMs, cpuMs }))
    return [
      { name: 'pages that were lost', value: ledger.failed, atMost: 0 },
      { name: 'part of the pages that were read in time', value: ledger.done / urls.length, atLeast: 1 },
      { name: 'loop delay of the main thread, p99 ms', value: loopDelayMs.p99, atMost: 50 },
      { name: 'loop delay of the main thread, max ms', value: loopDelayMs.max, atMost: 250 },
      // Decoding and parsing alone would take more than this for the bytes of a page of either kind.
      { name: 'CPU of the main thread, ms for each MB that came', value: cpuMs.main / (bytesIn / 1e6), atMost: 6 },
    ]
  })
}

async function unclosed(): Promise<readonly Bound[]> {
  const bounds: Bound[] = []
  const pages = realPages()
  for (const page of ['fast', 'browser']) {
    await using parser = hostilePool(2_000)
    const bodies = Array.from({ length: 20 }, (_, nth) => pages[nth] ?? new Uint8Array())
    await parser.parse(requestOf(new TextEncoder().encode('<p>'), page), new AbortController().signal)
    const startMs = performance.now()
    const timed = async (body: Uint8Array) => {
      const reply = await parser.parse(requestOf(body, page), new AbortController().signal)
      return { reply: reply.kind === 'parsed' ? 'parsed' : reply.fault.code, ms: performance.now() - startMs }
    }
    const [guilty, ...innocent] = await Promise.all([
      timed(new TextEncoder().encode('<div>'.repeat(40_000))),
      ...bodies.map(timed),
    ])
    console.log(
      JSON.stringify({
        part: 'unclosed',
        parser: page,
        guilty,
        lastOfOthersMs: Math.max(...innocent.map(({ ms }) => ms)),
      }),
    )
    bounds.push(
      {
        name: `${page}: harmless pages read`,
        value: innocent.filter(({ reply }) => reply === 'parsed').length,
        atLeast: 20,
      },
      {
        name: `${page}: the page of unclosed elements has its outcome after, ms`,
        value: guilty?.ms ?? 0,
        atMost: 3_500,
      },
      {
        name: `${page}: its outcome is its items or PARSE_TIMEOUT`,
        value: guilty !== undefined && /^(parsed|PARSE_TIMEOUT)$/.test(guilty.reply) ? 1 : 0,
        atLeast: 1,
      },
    )
  }
  return bounds
}

const parts: Readonly<Record<string, () => Promise<readonly Bound[]>>> = { large: largeAmongSmall, unclosed, memory }
const asked = process.argv.slice(2)
const bounds: Bound[] = []
for (const [name, run] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) bounds.push(...(await run()))
console.log(JSON.stringify({ bench: 'soak', machine }))
assertBounds(bounds)
