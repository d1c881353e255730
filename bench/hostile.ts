import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../src/core/clock.ts'
import { nodeOptions } from '../src/core/node-options.ts'
import type { ParseReply } from '../src/core/wire.ts'
import type { Parser } from '../src/parse/parser.ts'
import { createParsePool } from '../src/parse/pool.ts'
import { delayOptimiser } from '../src/run/optimiser.ts'
import { buildDist, distParseThread } from './dist.ts'
import { murderous } from './hostile-module.ts'
import { assertBounds, machine, median } from './machine.ts'
import { realPages } from './pages.ts'
import { watchTicks } from './ticks.ts'

/**
 * Real pages (95 KB on average) through a user's module in worker threads, one in twenty of which does the worst it can to
 * its thread; against the same number of harmless ones in the same run. Each gets one outcome, and the main thread notices
 * nothing.
 *
 * A page that kills costs what it does until it is ended, which is the user's limit for it (`timeouts.parseMs` of an
 * endless loop, the memory ceiling of an endless list), and then a new thread and its code, read, compiled and not yet
 * optimised. The bench measures each of these apart, and the throughput twice: as it is, and without what the murderers
 * burnt themselves, which no scraper can give back. Its limit of 250 ms is twenty to thirty times what such a page takes,
 * and counts what a page used or waited for: no harmless one may be lost to it, however busy the machine.
 *
 * What is asserted is far below the 0.6 that one would wish for: on two cores it was 0.34 to 0.5, least on a quick machine,
 * since an endless loop costs its limit on any. That was when 50 of 2,000 pages ended a thread; 34 do since an array that is
 * too large is refused where it is made, and its thread lives on. Each costs as much as some fifty to eighty of these pages.
 * A later optimising compiler made a kill an eighth cheaper where threads had a young generation of 12 MB, and no cheaper
 * with the 24 MB that they have; those make a harmless page cheaper and a kill not, which lowers the ratio though more
 * pages are read.
 */
const tasks = Number(process.env.BENCH_TASKS ?? 2_000)
const parseMs = Number(process.env.BENCH_PARSE_MS ?? 250)
const threads = 2
const inFlight = 16
const pages = realPages()

// The threads are those of the package as it is published: starting one is what is measured.
buildDist()

// As the command line does: a new thread finds its code compiled, and compiles less of it again.
delayOptimiser(nodeOptions())
const { directory } = enableCompileCache(join(homedir(), '.cache', 'millrace'))
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory

const poolOf = (count: number): Parser =>
  createParsePool({
    rules: {
      pages: [
        {
          name: 'page',
          match: null,
          item: null,
          follow: [],
          parser: 'browser',
          module: new URL('hostile-module.ts', import.meta.url).pathname,
        },
      ],
      scope: { within: 'any', include: [], exclude: [], maxDepth: null },
      seedHosts: [],
      bodyBytes: 10_000_000,
    },
    clock: realClock,
    threads: count,
    parseMs,
    queueMs: 600_000,
    memoryMegabytes: 256,
    onRestart: () => {},
    entry: distParseThread,
  })

const parse = (parser: Parser, nth: number, name: string): Promise<ParseReply> => {
  const url = `http://bench.test/${nth}/${name}`
  return parser.parse(
    {
      body: new Uint8Array(pages[nth % pages.length] ?? []),
      contentCoding: '',
      contentType: 'text/html',
      askedUrl: url,
      finalUrl: url,
      page: 'page',
      depth: 0,
      fetchedAt: '',
      want: 'bytes',
    },
    new AbortController().signal,
  )
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = cpuMs()
  await work()
  return cpuMs() - startMs
}

/** What a thread costs until it has read its first page, and until it reads pages as fast as it will. */
async function costOfThread(): Promise<{ readonly bootMs: number; readonly coldMs: number }> {
  const round = 20
  await using parser = poolOf(1)
  const bootMs = await cpuOf(async () => {
    await parser.ready()
    await parse(parser, 0, 'well')
  })
  const rounds: number[] = []
  for (let nth = 0; nth < 10; nth += 1)
    rounds.push(
      await cpuOf(async () => {
        for (let page = 0; page < round; page += 1) await parse(parser, page, 'well')
      }),
    )
  const warmMs = median(rounds.slice(5))
  return { bootMs, coldMs: rounds.slice(0, 3).reduce((sum, ms) => sum + ms - warmMs, 0) }
}

interface CostOfTwo {
  readonly ms: number
  readonly isDead: boolean
  /** By the clock, from the outcome of the first to that of the second. */
  readonly nextMs: number
}

/** CPU of one page by this name and a harmless one after it, in a thread that has read one page; and whether that died. */
async function costOfTwo(name: string): Promise<CostOfTwo> {
  await using parser = poolOf(1)
  await parse(parser, 0, 'well')
  let outcomeAtMs = 0
  const ms = await cpuOf(async () => {
    await parse(parser, 0, name)
    outcomeAtMs = performance.now()
    await parse(parser, 0, 'well')
  })
  return { ms, isDead: parser.stats.restarts > 0, nextMs: performance.now() - outcomeAtMs }
}

const deedOf = (nth: number): string => (nth % 20 === 0 ? (murderous[(nth / 20) % murderous.length] ?? 'well') : 'well')

interface Outcome {
  readonly reply: string
  readonly url: string
  readonly message: string
}

const outcomeOf = (reply: ParseReply, url: string): Outcome =>
  reply.kind === 'parsed'
    ? { reply: 'parsed', url, message: '' }
    : { reply: reply.fault.code, url, message: reply.fault.message }

async function runAll(nameOf: (nth: number) => string) {
  await using parser = poolOf(threads)
  await parser.ready()
  const outcomes: Outcome[] = []
  let next = 0
  const startMs = performance.now()
  const startCpuMs = cpuMs()
  using ticks = watchTicks(20)
  async function work(): Promise<void> {
    while (next < tasks) {
      const nth = next++
      outcomes.push(outcomeOf(await parse(parser, nth, nameOf(nth)), `http://bench.test/${nth}/${nameOf(nth)}`))
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return {
    outcomes,
    cpuMs: cpuMs() - startCpuMs,
    wallMs: performance.now() - startMs,
    loopMaxMs: ticks.read().max,
    stats: parser.stats,
  }
}

await costOfThread()
const threadCost = await costOfThread()
const harmless = await costOfTwo('well')
/** What a page does to its thread, without the thread that comes after it. */
const deeds: Record<string, number> = {}
/** Of each that killed its thread: how long until the next page was read in another. */
const replacedMs: Record<string, number> = {}
for (const name of murderous) {
  const { ms, isDead, nextMs } = await costOfTwo(name)
  deeds[name] = Math.max(0, ms - (isDead ? threadCost.bootMs : harmless.ms))
  if (isDead) replacedMs[name] = nextMs
}

const clean = await runAll(() => 'well')
const hostile = await runAll(deedOf)

const guilty = hostile.outcomes.filter(({ url }) => !url.endsWith('/well'))
const innocent = hostile.outcomes.filter(({ url }) => url.endsWith('/well'))
const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
const table: Record<string, Record<string, number>> = {}
for (const { url, reply } of hostile.outcomes) {
  const deed = nameIn(url)
  table[deed] = { ...table[deed], [reply]: (table[deed]?.[reply] ?? 0) + 1 }
}
for (const [name, ms] of Object.entries(deeds)) table[name] = { ...table[name], 'CPU ms of the deed': Math.round(ms) }
console.table(table)
const unnamed = guilty.filter(({ url, message, reply }) => reply === 'parsed' || !message.includes(url))
const kills = Math.max(1, hostile.stats.restarts)
const burntMs = guilty.reduce((sum, { url }) => sum + (deeds[nameIn(url)] ?? 0), 0)
const figures = {
  bench: 'hostile',
  machine,
  tasks,
  murderous: guilty.length,
  parseMs,
  cleanPagesPerSecond: (tasks * 1000) / clean.wallMs,
  hostilePagesPerSecond: (tasks * 1000) / hostile.wallMs,
  /** Both runs keep all threads busy; CPU time also holds on a machine that does other things meanwhile. */
  ratio: clean.cpuMs / hostile.cpuMs,
  wallRatio: clean.wallMs / hostile.wallMs,
  ratioWithoutTheDeeds: clean.cpuMs / (hostile.cpuMs - burntMs),
  perKillCpuMs: {
    all: (hostile.cpuMs - clean.cpuMs) / kills,
    deed: burntMs / kills,
    ...threadCost,
  },
  cleanCpuMsPerPage: clean.cpuMs / tasks,
  restarts: hostile.stats.restarts,
  replacedMs,
  loopMaxMs: { clean: clean.loopMaxMs, hostile: hostile.loopMaxMs },
}
console.log(JSON.stringify(figures))
const killers = guilty
  .filter(({ message }) => !message.includes('process.exit'))
  .filter(({ reply }) => /CRASHED|TIMEOUT/.test(reply))
assertBounds([
  { name: 'outcomes of harmless pages alone', value: clean.outcomes.length, atLeast: tasks, atMost: tasks },
  { name: 'outcomes with murderous ones among them', value: hostile.outcomes.length, atLeast: tasks, atMost: tasks },
  { name: 'URLs with an outcome', value: new Set(hostile.outcomes.map(({ url }) => url)).size, atLeast: tasks },
  {
    name: 'harmless pages that were not parsed',
    value: innocent.filter(({ reply }) => reply !== 'parsed').length,
    atMost: 0,
  },
  { name: 'murderous pages without a fault that names them', value: unnamed.length, atMost: 0 },
  { name: 'restarts per page that killed its thread', value: hostile.stats.restarts / killers.length, atMost: 1 },
  {
    name: 'from the outcome of a page that killed its thread to the reply of the next one, ms',
    value: Math.max(...Object.values(replacedMs)),
    atLeast: 0,
    atMost: 1_000,
  },
  { name: 'loop delay of the main thread with murderous pages, max ms', value: hostile.loopMaxMs, atMost: 250 },
  { name: 'throughput with murderous pages over that of harmless ones alone', value: figures.ratio, atLeast: 0.3 },
  {
    name: 'the same without what they burnt themselves',
    value: figures.ratioWithoutTheDeeds,
    atLeast: 0.45,
  },
])
