import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realClock } from '../src/core/clock.ts'
import { crawl, defineJob } from '../src/index.ts'
import { boundYoungGeneration } from '../src/run/young-generation.ts'
import { startChild } from './child.ts'
import type { Bound } from './machine.ts'

/**
 * Whether anything of a page is left when it is done: pages of 3 MB, each with a title of its own, which is all that is
 * kept of it.
 *
 * While pages come, resident memory says what the next garbage collection takes, and varies by tens of megabytes. So
 * they come in rounds: when all of a round are done nothing is under way, all threads collect their garbage (those that
 * parse by a page whose module does it), and memory is looked at. Each look is at the same moment of a round, and they
 * are many; a line through those of the second half has a slope, and a standard error that says how well it is known.
 * Both must be small: a slope that is not known to a quarter of a megabyte a minute shows nothing. In the first half
 * memory comes in steps of some 60 MB, each the room that a thread's young generation takes and keeps.
 *
 * It takes BENCH_MEMORY_MS, eight minutes unless given; with less than five the slope is told and not judged.
 */
const runMs = Number(process.env.BENCH_MEMORY_MS ?? 480_000)
const judgedFromMs = 300_000
const pageBytes = 3_000_000
const roundPages = 75
/** Small pages behind a round; so many, that each thread has some. */
const settlePages = 12
/** Of a run that is long enough. */
const leastPages = 10_000

interface Look {
  readonly atMs: number
  readonly rss: number
  /** Heap and external memory of the main thread. */
  readonly main: number
}

/** Megabytes a minute by least squares, and the standard error of that. */
function slopeOf(looks: readonly Look[]): { readonly perMinute: number; readonly error: number } {
  const mean = (of: (look: Look) => number): number =>
    looks.reduce((sum, look) => sum + of(look), 0) / Math.max(1, looks.length)
  const meanMs = mean(({ atMs }) => atMs)
  const meanRss = mean(({ rss }) => rss)
  const spread = mean(({ atMs }) => (atMs - meanMs) ** 2)
  if (spread === 0 || looks.length < 3) return { perMinute: 0, error: Number.POSITIVE_INFINITY }
  const slope = mean(({ atMs, rss }) => (atMs - meanMs) * (rss - meanRss)) / spread
  const left = mean(({ atMs, rss }) => (rss - meanRss - slope * (atMs - meanMs)) ** 2)
  const perMinute = 60_000 / 1e6
  return { perMinute: slope * perMinute, error: Math.sqrt(left / (looks.length - 2) / spread) * perMinute }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

async function crawlInRounds(base: string): Promise<{ readonly done: number; readonly failed: number; looks: Look[] }> {
  const looks: Look[] = []
  const startMs = performance.now()

  async function* rounds(): AsyncGenerator<string> {
    let asked = 0
    async function* some(count: number, path: string): AsyncGenerator<string> {
      for (let nth = 0; nth < count; nth += 1) yield `${base}${path}/${asked++}\n`
      while (run.progress().ended < asked) await sleep(10)
    }
    while (performance.now() - startMs < runMs) {
      yield* some(roundPages, `/titled/${pageBytes}`)
      yield* some(settlePages, '/bytes/20000')
      collect()
      await sleep(100)
      const { rss, heapUsed, external } = process.memoryUsage()
      looks.push({ atMs: performance.now() - startMs, rss, main: heapUsed + external })
    }
  }

  const job = defineJob({
    name: 'soak',
    seeds: [{ from: '-' }],
    pages: [
      { name: 'settle', match: '/bytes/*', module: new URL('soak-module.ts', import.meta.url).pathname },
      { name: 'page', item: { title: 'title' } },
    ],
    limits: {
      perHost: { policy: 'fixed', max: 16 },
      rate: 'none',
      delayMs: 0,
      inFlight: 16,
      bodyBytes: '8MB',
      pageBudgetBytes: '24MB',
    },
  })
  const run = crawl(job, { threads: 2, seedInput: Readable.from(rounds(), { highWaterMark: 1 }) })
  const { ledger } = await run.finished()
  return { done: looks.length * roundPages, failed: ledger.failed, looks }
}

export async function memory(): Promise<readonly Bound[]> {
  using server = await startChild('page-server.ts')
  // As the command line does: left to itself its growth is the slope of a process, whatever that does.
  using _small = boundYoungGeneration(realClock, process.execArgv)
  const { port } = server.first as { readonly port: number }
  const { done, failed, looks } = await crawlInRounds(`http://127.0.0.1:${port}`)
  const settled = looks.slice(Math.floor(looks.length / 2))
  const { perMinute, error } = slopeOf(settled)
  const isJudged = (looks.at(-1)?.atMs ?? 0) >= judgedFromMs
  const mainMb = Math.max(...settled.map(({ main }) => main)) / 1e6
  console.log(
    JSON.stringify({
      part: 'memory',
      done,
      failed,
      seconds: Math.round((looks.at(-1)?.atMs ?? 0) / 1_000),
      mainMb: looks.map(({ main }) => megabytes(main)),
      rssMb: looks.map(({ rss }) => megabytes(rss)),
      peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      slopeMbPerMinute: perMinute,
      standardError: error,
    }),
  )
  return [
    { name: 'pages that were lost', value: failed, atMost: 0 },
    { name: 'pages read', value: done, atLeast: isJudged ? leastPages : 2 * roundPages },
    { name: 'heap and external memory of the main thread between rounds, MB', value: mainMb, atMost: 64 },
    ...(isJudged
      ? [
          { name: 'growth of resident memory in the second half, MB a minute', value: perMinute, atMost: 0.5 },
          { name: 'standard error of that', value: error, atMost: 0.25 },
        ]
      : []),
  ]
}
