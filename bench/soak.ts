import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../src/core/clock.ts'
import { crawl, defineJob, type JobInput } from '../src/index.ts'
import { boundYoungGeneration } from '../src/run/young-generation.ts'
import { startChild } from './child.ts'
import { assertBounds, type Bound, machine } from './machine.ts'
import { realPages } from './pages.ts'
import { hostilePool, requestOf } from './soak-pool.ts'

/**
 * What takes longer than a bench should: `node bench/soak.ts [part...]`, all parts unless some are named. No part takes
 * longer than BENCH_PART_MS, three minutes unless given: a run that has more to do is stopped then, and judged by what it
 * has done.
 *
 * - `large`: pages of 20 MB among small ones at 300 requests a second (BENCH_PAGES small ones, 5,000 unless given).
 * - `unclosed`: a page of 40,000 elements that are never closed, and harmless pages behind it, by either parser.
 * - `memory`: pages of 3 MB of which the title is kept (BENCH_LARGE of them, 60,000 unless given), for BENCH_MEMORY_MS at
 *   most, eight minutes unless given. The slope of resident memory is asserted where the run took five minutes and more.
 */
const small = Number(process.env.BENCH_PAGES ?? 5_000)
const largeOnes = Math.max(1, Math.round(small / 100))
const heavy = Number(process.env.BENCH_LARGE ?? 60_000)
const partMs = Number(process.env.BENCH_PART_MS ?? 180_000)
const memoryMs = Number(process.env.BENCH_MEMORY_MS ?? 480_000)
const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

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

interface Sample {
  readonly atMs: number
  readonly bytes: number
  readonly mainBytes: number
}

/** Megabytes a minute by least squares, and the standard error of that: what chance makes of samples that scatter so. */
function slopeOf(samples: readonly Sample[]): { readonly perMinute: number; readonly error: number } {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / Math.max(1, samples.length)
  const meanMs = mean(({ atMs }) => atMs)
  const meanBytes = mean(({ bytes }) => bytes)
  const spread = mean(({ atMs }) => (atMs - meanMs) ** 2)
  if (spread === 0 || samples.length < 3) return { perMinute: 0, error: Number.POSITIVE_INFINITY }
  const slope = mean(({ atMs, bytes }) => (atMs - meanMs) * (bytes - meanBytes)) / spread
  const left = mean(({ atMs, bytes }) => (bytes - meanBytes - slope * (atMs - meanMs)) ** 2)
  const perMinute = 60_000 / 1e6
  return { perMinute: slope * perMinute, error: Math.sqrt(left / (samples.length - 2) / spread) * perMinute }
}

/** The lowest of each so many milliseconds: what is held, without what the next garbage collection takes. */
function troughsOf(samples: readonly Sample[], windowMs: number): readonly Sample[] {
  const troughs = new Map<number, Sample>()
  for (const sample of samples) {
    const window = Math.floor(sample.atMs / windowMs)
    const least = troughs.get(window)
    if (least === undefined || sample.bytes < least.bytes) troughs.set(window, sample)
  }
  return [...troughs.values()]
}

/** Heaps and the memory of bodies find their size in the first minutes; a slope before that is theirs. */
const settledFromMs = 120_000
const windowMs = 20_000

async function memory(): Promise<readonly Bound[]> {
  return withServer(async base => {
    // Read as the queue has room for them: what is held is what a run of any length would hold.
    const folder = mkdtempSync(join(tmpdir(), 'millrace-soak-'))
    const from = join(folder, 'urls.txt')
    writeFileSync(from, Array.from({ length: heavy }, (_, nth) => `${base}/titled/3000000/${nth}\n`).join(''))
    const samples: Sample[] = []
    // As the command line does: left to itself its growth is the slope of a process, whatever that does.
    using _small = boundYoungGeneration(realClock)
    const limits = { perHost: { policy: 'fixed' as const, max: 16 }, rate: 'none' as const, inFlight: 16 }
    const job = jobOf([{ from }], { ...limits, bodyBytes: '8MB', pageBudgetBytes: '9MB' })
    const run = crawl(job, { threads: 2, signal: AbortSignal.timeout(memoryMs) })
    const startMs = performance.now()
    const timer = setInterval(() => {
      const { rss, heapUsed, external } = process.memoryUsage()
      samples.push({ atMs: performance.now() - startMs, bytes: rss, mainBytes: heapUsed + external })
    }, 250)
    const { ledger, durationMs } = await run.finished()
    clearInterval(timer)
    rmSync(folder, { recursive: true })
    const last = samples.filter(({ atMs }) => atMs >= Math.min(settledFromMs, durationMs / 2))
    // Bodies on their way to a thread are the page budget's; what is kept of pages shows in the lowest values.
    const mainMb = megabytes(
      last.reduce((least, { mainBytes }) => Math.min(least, mainBytes), Number.POSITIVE_INFINITY),
    )
    const slope = slopeOf(troughsOf(last, windowMs))
    console.log(
      JSON.stringify({
        part: 'memory',
        ledger,
        durationMs,
        mainMb,
        slopeMbPerMinute: slope.perMinute,
        slopeError: slope.error,
        rssMb: megabytes(last.at(-1)?.bytes ?? 0),
        peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
        troughsMb: troughsOf(samples, windowMs).map(({ bytes }) => megabytes(bytes)),
      }),
    )
    const isSettled = durationMs >= settledFromMs + 3 * 60_000
    return [
      { name: 'pages that were lost', value: ledger.failed, atMost: 0 },
      { name: 'pages read', value: ledger.done, atLeast: Math.min(heavy, 500) },
      { name: 'heap and external memory of the main thread, without bodies under way, MB', value: mainMb, atMost: 64 },
      ...(isSettled
        ? [
            {
              name: 'growth of resident memory after two minutes that chance does not explain, MB a minute',
              value: Math.max(0, slope.perMinute - 2 * slope.error),
              atMost: 0.5,
            },
          ]
        : []),
    ]
  })
}

const parts: Readonly<Record<string, () => Promise<readonly Bound[]>>> = { large: largeAmongSmall, unclosed, memory }
const asked = process.argv.slice(2)
const bounds: Bound[] = []
for (const [name, run] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) bounds.push(...(await run()))
console.log(JSON.stringify({ bench: 'soak', machine }))
assertBounds(bounds)
