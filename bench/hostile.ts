import { realClock } from '../src/core/clock.ts'
import type { ParseReply } from '../src/core/wire.ts'
import type { Parser } from '../src/parse/parser.ts'
import { createParsePool } from '../src/parse/pool.ts'
import { murderous } from './hostile-module.ts'
import { assertBounds, machine } from './machine.ts'
import { realPages } from './pages.ts'
import { watchTicks } from './ticks.ts'

/**
 * Real pages through a user's module in worker threads, one in twenty of which does the worst it can to its thread;
 * against the same number of harmless ones in the same run. Each gets one outcome, and the main thread notices nothing.
 *
 * What is asserted of the speed is the CPU time that a killed thread costs: what it did until it was ended, a new thread,
 * and code that is not compiled yet. The ratio to harmless pages alone follows from it and from what a page costs: with
 * one page in 34 that kills, 0.8 s of CPU are 24 ms a page, and 0.6 is reached where a page costs 35 ms.
 */
const tasks = Number(process.env.BENCH_TASKS ?? 2_000)
const threads = 2
const inFlight = 16
const pages = realPages()
/** What a page may take; each endless one holds a thread so long. */
const parseMs = 500

const poolOf = (): Parser =>
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
    threads,
    parseMs,
    queueMs: 600_000,
    memoryMegabytes: 256,
    onRestart: () => {},
  })

const deedOf = (nth: number): string | null =>
  nth % 20 === 0 ? (murderous[(nth / 20) % murderous.length] ?? null) : null

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
  await using parser = poolOf()
  await parser.ready()
  const outcomes: Outcome[] = []
  let next = 0
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  using ticks = watchTicks(20)
  async function work(): Promise<void> {
    while (next < tasks) {
      const nth = next++
      const url = `http://bench.test/${nth}/${nameOf(nth)}`
      const reply = await parser.parse(
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
      outcomes.push(outcomeOf(reply, url))
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const { user, system } = process.cpuUsage(startCpu)
  const cpuMs = (user + system) / 1000
  return { outcomes, cpuMs, wallMs: performance.now() - startMs, loopMaxMs: ticks.read().max, stats: parser.stats }
}

const clean = await runAll(() => 'well')
const hostile = await runAll(nth => deedOf(nth) ?? 'well')

const guilty = hostile.outcomes.filter(({ url }) => !url.endsWith('/well'))
const innocent = hostile.outcomes.filter(({ url }) => url.endsWith('/well'))
const table: Record<string, Record<string, number>> = {}
for (const { url, reply } of hostile.outcomes) {
  const deed = url.slice(url.lastIndexOf('/') + 1)
  table[deed] = { ...table[deed], [reply]: (table[deed]?.[reply] ?? 0) + 1 }
}
console.table(table)
const unnamed = guilty.filter(({ url, message, reply }) => reply === 'parsed' || !message.includes(url))
const killed = guilty.filter(({ reply }) => reply === 'PARSE_CRASHED' || reply === 'PARSE_TIMEOUT')
const figures = {
  bench: 'hostile',
  machine,
  tasks,
  cleanPagesPerSecond: (tasks * 1000) / clean.wallMs,
  hostilePagesPerSecond: (tasks * 1000) / hostile.wallMs,
  /** Both runs keep all threads busy; CPU time also holds on a machine that does other things meanwhile. */
  ratio: clean.cpuMs / hostile.cpuMs,
  wallRatio: clean.wallMs / hostile.wallMs,
  /** What a killed thread costs: what it did, a new one, and code that is not compiled yet. */
  cpuMsPerKill: (hostile.cpuMs - clean.cpuMs) / killed.length,
  cleanCpuMsPerPage: clean.cpuMs / tasks,
  restarts: hostile.stats.restarts,
  loopMaxMs: { clean: clean.loopMaxMs, hostile: hostile.loopMaxMs },
}
console.log(JSON.stringify(figures))
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
  { name: 'restarts per page that killed its thread', value: hostile.stats.restarts / killed.length, atMost: 1 },
  { name: 'CPU of a killed thread, its deed and its successor, ms', value: figures.cpuMsPerKill, atMost: 1_500 },
])
