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
 * - `large`: pages of 20 MB, every other one packed, among small ones at 300 requests a second (BENCH_PAGES small ones, 5,000
 *   unless given). That the main thread has no part in unpacking and parsing is a test: `test/run/main-thread.test.ts`.
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
    const largeUrl = (nth: number): string => `${base}/${nth % 2 === 0 ? 'bytes' : 'packed'}/20000000/${nth}`
    const urls = Array.from({ length: small }, (_, nth) => [
      `${base}/${nth}`,
      ...(nth % every === 0 && nth / every < largeOnes ? [largeUrl(nth / every)] : []),
    ]).flat()
    const perSecond = 300
    const rate = { perMinute: perSecond * 60, burst: 10 }
    const limits = { perHost: { policy: 'fixed' as const, max: 256 }, rate, inFlight: 256, bodyBytes: '32MB' }
    const run = crawl(jobOf(urls, limits), { threads: 2, signal: AbortSignal.timeout(partMs) })
    const { loopDelayMs, cpuMs, ledger, durationMs, bytesIn } = await run.finished()
    const donePerSecond = (ledger.done * 1000) / durationMs
    console.log(JSON.stringify({ part: 'large', ledger, durationMs, donePerSecond, bytesIn, loopDelayMs, cpuMs }))
    return [
      { name: 'pages that were lost', value: ledger.failed, atMost: 0 },
      { name: 'part of the pages that were read in time', value: ledger.done / urls.length, atLeast: 1 },
      { name: 'pages a second, on a machine at rest', value: donePerSecond, atLeast: 0.9 * perSecond },
      { name: 'loop delay of the main thread, p99 ms', value: loopDelayMs.p99, atMost: 50 },
      { name: 'loop delay of the main thread, max ms', value: loopDelayMs.max, atMost: 250 },
      // For requests and for bytes that pass through: decoding and parsing as well would be more.
      { name: 'CPU of the main thread, ms for each MB that came', value: cpuMs.main / (bytesIn / 1e6), atMost: 6 },
    ]
  })
}

const unclosedMs = 2_000

/**
 * `fast` reads elements that are never closed in linear time, parse5 does not. The limit is one of what a page used or waited
 * for: where its thread waits for a core, a page has up to four times that by the clock, which is asked of a machine at rest.
 */
const unclosedEnds = {
  fast: { reply: 'parsed', inMs: { atMost: unclosedMs } },
  browser: { reply: 'PARSE_TIMEOUT', inMs: { atLeast: 0.95 * unclosedMs, atMost: 1.45 * unclosedMs } },
}

async function unclosed(): Promise<readonly Bound[]> {
  const bounds: Bound[] = []
  const bodies = realPages().slice(0, 20)
  const unclosedPage = new TextEncoder().encode('<div>'.repeat(40_000))
  for (const [page, expected] of Object.entries(unclosedEnds)) {
    await using parser = hostilePool(unclosedMs)
    await parser.parse(requestOf(new TextEncoder().encode('<p>'), page), new AbortController().signal)
    const startMs = performance.now()
    const timed = async (body: Uint8Array) => {
      const reply = await parser.parse(requestOf(body, page), new AbortController().signal)
      return { reply: reply.kind === 'parsed' ? 'parsed' : reply.fault.code, ms: performance.now() - startMs }
    }
    const [guilty, others] = await Promise.all([timed(unclosedPage), Promise.all(bodies.map(timed))])
    const lastOfOthersMs = Math.max(...others.map(({ ms }) => ms))
    const read = others.filter(({ reply }) => reply === 'parsed').length
    console.log(JSON.stringify({ part: 'unclosed', parser: page, guilty, lastOfOthersMs }))
    bounds.push(
      { name: `${page}: harmless pages read`, value: read, atLeast: 20 },
      { name: `${page}: the last of them, ms on a machine at rest`, value: lastOfOthersMs, atMost: 0.75 * unclosedMs },
      {
        name: `${page}: pages of unclosed elements that end as ${expected.reply}`,
        value: guilty.reply === expected.reply ? 1 : 0,
        atLeast: 1,
      },
      { name: `${page}: after how long, ms on a machine at rest`, value: guilty.ms, ...expected.inMs },
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
