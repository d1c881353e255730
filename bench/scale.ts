import { manyText } from '../src/report/figure-text.ts'
import { runChild, startChild } from './child.ts'
import { assertBounds, machine } from './machine.ts'
import { curveOf, fullFrom, mostThreads } from './scale-curve.ts'
import { plotLabels, plotLines, writeScaleDocs } from './scale-docs.ts'
import { textPlot } from './scale-plot.ts'
import { spineMsPerPage } from './scale-spine.ts'
import { stageTimesCost, stageTimesMs } from './scale-stage-times.ts'

/**
 * Where the main thread becomes the limit: the one part of the house that threads do not make faster.
 *
 * What it costs for each page is measured, as CPU: the real spine with its queue, gates, events, commits and output,
 * over 10,000 hosts, with a web and threads that cost nothing; and once more with real pages through real sockets and
 * threads. The least of some runs counts, since what others do on the machine only adds. What that comes to with up to
 * 64 threads, 10,000 hosts and a million pages is then counted in simulated time, as no machine at hand has 64 cores:
 * these figures depend on that one measured cost alone. Last, what each thread of this machine brings.
 *
 *     node bench/scale.ts [--docs]      also writes the figures into docs/bench.md and docs/scale.svg
 */
const spinePages = 40_000
const simPages = 1_000_000
const fewSimPages = 200_000
const hosts = 10_000
const realPages = [200, 1_000] as const
/** What a page may cost to parse: a stream engine on small pages, on real ones, a tree, and a tree as a browser has it. */
const parseCostsMs = [1, 3, 8, 20]

/** Of a process in a bench. */
interface RealCost {
  readonly items: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly mainCpuMs: number
}

const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

/** How long each part of the bench takes is one of its figures. */
async function timed<T>(what: string, run: () => T | Promise<T>): Promise<T> {
  const startMs = performance.now()
  const value = await run()
  console.log(`${what}: ${round((performance.now() - startMs) / 1_000, 1)} s`)
  return value
}

/**
 * Real pages through sockets and threads of this machine. What a short run took is taken off a long one, so that loading
 * and warming up, which a million pages pay once, are not in it.
 */
async function realRuns(): Promise<readonly (RealCost & { readonly threads: number })[]> {
  using server = await startChild('page-server.ts')
  const { port } = server.first as { readonly port: number }
  const [short, long] = realPages
  const costOf = (pages: number, threads: number): Promise<RealCost> =>
    runChild<RealCost>('crawl-millrace.ts', [`http://127.0.0.1:${port}`, String(pages), String(threads), '64'])
  const runs: (RealCost & { readonly threads: number })[] = []
  for (let threads = 1; threads <= Math.min(8, machine.cores); threads *= 2) {
    const warmUp = await costOf(short, threads)
    const whole = await costOf(long, threads)
    runs.push({
      threads,
      items: whole.items - warmUp.items,
      wallMs: whole.wallMs - warmUp.wallMs,
      cpuMs: whole.cpuMs - warmUp.cpuMs,
      mainCpuMs: whole.mainCpuMs - warmUp.mainCpuMs,
    })
  }
  return runs
}

const spineMs = Math.min(
  await timed('the spine', () => spineMsPerPage(hosts, spinePages)),
  await timed('the spine again', () => spineMsPerPage(hosts, spinePages)),
)
const stageTimes = await timed('stage times', () => stageTimesCost(200_000))
const real = await timed('real pages', realRuns)
const pageCpuMs = Math.min(...real.map(({ cpuMs, items }) => cpuMs / items))
const mainMs = Math.max(spineMs, Math.min(...real.map(({ mainCpuMs, items }) => mainCpuMs / items)))
const load = { hosts, perHost: 1, latencyMs: 300, mainMs, pages: fewSimPages, warmUpPages: 10 * hosts }
const curves = await timed('simulated time', () => parseCostsMs.map(parseMs => curveOf({ ...load, parseMs }, simPages)))

console.log(
  `Main thread for each page: ${round(spineMs * 1000)} µs the spine alone, ${round(mainMs * 1000)} µs with sockets and hand-over.`,
)
console.log(`It ends at ${Math.round(1000 / spineMs)} and ${Math.round(1000 / mainMs)} pages a second.`)
for (const { parseMs, byCost, fullAt, points } of curves) {
  const at = fullAt === null ? `not within ${mostThreads} threads` : `at ${manyText(fullAt, 'thread')}`
  const last = points.at(-1)
  console.log(
    `${parseMs} ms a page: the main thread is the limit ${at} (by cost: ${round(byCost, 1)}); ` +
      `${mostThreads} threads give ${Math.round(last?.pagesPerSecond ?? 0)} pages a second, main thread ${Math.round((last?.mainBusy ?? 0) * 100)} % busy`,
  )
}
console.log(textPlot(plotLines(curves), plotLabels))
if (process.argv.includes('--docs'))
  await writeScaleDocs({ spineMs, mainMs, hosts, pages: simPages, curves, stageTimes, pageCpuMs })

const [one] = real
const efficiency = real.map(run => ({
  threads: run.threads,
  'pages/s': Math.round((run.items * 1000) / run.wallMs),
  'of one thread, times threads': round(
    run.items / run.wallMs / (((one?.items ?? 1) / (one?.wallMs ?? 1)) * run.threads),
  ),
  'CPU ms/page': round(run.cpuMs / run.items),
}))
console.table(efficiency)
/** Of the threads that the main thread was full with, over those that costs say. */
const fullOverCost = curves.flatMap(({ fullAt, byCost }) => (fullAt === null ? [] : [fullAt / byCost]))
const shareOfPage = stageTimesMs(stageTimes) / pageCpuMs
console.log(
  JSON.stringify({ bench: 'scale', machine, spineMs, mainMs, stageTimes, shareOfPage, hosts, curves, efficiency }),
)
assertBounds([
  { name: 'stage times, as part of the CPU of a real page', value: shareOfPage, atMost: 0.02 },
  {
    name: 'pages a second in simulated time, over what the main thread alone allows, at most',
    value: Math.max(
      ...curves.flatMap(({ points }) => points.map(({ pagesPerSecond }) => (pagesPerSecond * mainMs) / 1000)),
    ),
    atMost: 1.02,
  },
  {
    name: 'threads with which the main thread is full, over what costs say, at least',
    value: Math.min(...fullOverCost),
    // Pages that are drawn cost a hair more or less than they should.
    atLeast: fullFrom - 0.01,
  },
])
