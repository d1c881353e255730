import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild, startChild } from './child.ts'
import { assertBounds, machine } from './machine.ts'
import { simulateScale } from './scale-model.ts'
import { linesPlot, textPlot } from './scale-plot.ts'
import { spineMsPerPage, stageTimesMsPerPage } from './scale-spine.ts'

/**
 * Where the main thread becomes the limit: the one part of the house that threads do not make faster.
 *
 * What it costs for each page is measured, in this process: the real spine with its queue, gates, events, commits and
 * output, over 10,000 hosts, with a web and threads that cost nothing; and once more with real pages through real sockets
 * and threads. What that comes to with 64 threads, 10,000 hosts and a million pages is then counted in simulated time, as
 * no machine at hand has 64 cores. Last, what each thread of this machine brings.
 *
 *     node bench/scale.ts [pages through the spine = 60000] [pages in simulated time = 1000000]
 */
const spinePages = Number(process.argv[2] ?? 60_000)
const simPages = Number(process.argv[3] ?? 1_000_000)
const hosts = 10_000
const mostThreads = 64
const realPages = [300, 1_500] as const
/** What a page may cost to parse: a stream engine on small pages, on real ones, a tree, and a tree as a browser has it. */
const parseCostsMs = [1, 3, 8, 20]
const threadCounts = [1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64]

/** Of a process in a bench. */
interface RealCost {
  readonly items: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly mainCpuMs: number
}

const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

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

const spineMs = await spineMsPerPage(hosts, spinePages)
const stageTimesMs = stageTimesMsPerPage(200_000)
const real = await realRuns()
const pageCpuMs = Math.min(...real.map(({ cpuMs, items }) => cpuMs / items))
const mainMs = Math.max(spineMs, Math.min(...real.map(({ mainCpuMs, items }) => mainCpuMs / items)))

const curves = parseCostsMs.map(parseMs => ({
  name: `${parseMs} ms a page`,
  parseMs,
  points: threadCounts.map(threads => ({
    threads,
    ...simulateScale({
      threads,
      hosts,
      pages: threads === mostThreads ? simPages : Math.min(simPages, 20_000),
      perHost: 1,
      latencyMs: 300,
      parseMs,
      mainMs,
    }),
  })),
}))

console.log(
  `Main thread for each page: ${round(spineMs * 1000)} µs the spine alone, ${round(mainMs * 1000)} µs with sockets and hand-over.`,
)
console.log(`It ends at ${Math.round(1000 / spineMs)} and ${Math.round(1000 / mainMs)} pages a second.`)
for (const { name, parseMs, points } of curves) {
  const full = points.find(({ mainBusy }) => mainBusy >= 0.95)
  const at = full === undefined ? `not within ${mostThreads} threads` : `at ${full.threads} threads`
  const last = points.at(-1)
  console.log(
    `${name}: the main thread is the limit ${at} (by cost: ${round(parseMs / mainMs, 1)}); ` +
      `${mostThreads} threads give ${Math.round(last?.pagesPerSecond ?? 0)} pages a second, main thread ${Math.round((last?.mainBusy ?? 0) * 100)} % busy`,
  )
}
const lines = curves.map(({ name, points }) => ({
  name,
  points: points.map(({ threads, pagesPerSecond }) => [threads, pagesPerSecond] as const),
}))
const labels = { x: 'threads', y: 'pages a second' }
console.log(textPlot(lines, labels))
const svg = join(tmpdir(), 'millrace-scale.svg')
writeFileSync(svg, linesPlot(lines, labels, { value: 1000 / mainMs, name: 'the main thread alone' }))
console.log(`The same as a picture: ${svg}`)

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
const shareOfPage = stageTimesMs / pageCpuMs
console.log(
  JSON.stringify({ bench: 'scale', machine, spineMs, mainMs, stageTimesMs, shareOfPage, hosts, curves, efficiency }),
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
])
