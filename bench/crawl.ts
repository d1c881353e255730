import { runChild, startChild } from './child.ts'
import { assertBounds, machine, median } from './machine.ts'

interface Cost {
  readonly items: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly rssMb: number
}

interface MillraceCost extends Cost {
  /** From start to end, start-up included. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** While all workers had work. */
  readonly saturatedMs: { readonly p99: number; readonly max: number }
  readonly mainCpuMs: number
  readonly workerCpuMs: number
}

const count = Number(process.env.BENCH_PAGES ?? 3000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const inFlight = 64

/**
 * Real pages from a server on this machine, through Millrace and through what people write at home, in turn: pages
 * per CPU-second of the whole process, workers included. Also how late the main thread's timers were meanwhile, and how
 * many requests the server saw at once.
 */
using server = await startChild('page-server.ts')
const { port } = server.first as { readonly port: number }
const base = `http://127.0.0.1:${port}`
const stats = async (): Promise<{ readonly peak: Record<string, number> }> =>
  (await fetch(`${base}/stats`)).json() as never

const ours: MillraceCost[] = []
const inMemory: MillraceCost[] = []
const theirs: Cost[] = []
let peak = 0
for (let round = 0; round < rounds; round += 1) {
  theirs.push(await runChild<Cost>('crawl-baseline.ts', [base, String(count)]))
  await stats()
  ours.push(await runChild<MillraceCost>('crawl-millrace.ts', [base, String(count), '2', String(inFlight)]))
  peak = Math.max(peak, ...Object.values((await stats()).peak))
  inMemory.push(
    await runChild<MillraceCost>('crawl-millrace.ts', [base, String(count), '2', String(inFlight), 'memory']),
  )
}

const pagesPerCpuSecond = (cost: Cost): number => (cost.items * 1000) / cost.cpuMs
const ratios = ours.map((cost, round) => pagesPerCpuSecond(cost) / pagesPerCpuSecond(theirs[round] ?? cost))
const pagesPerSecond = ({ items, wallMs }: Cost): number => (items * 1000) / wallMs
const storeRatios = ours.map((cost, round) => pagesPerSecond(cost) / pagesPerSecond(inMemory[round] ?? cost))
const rssRatios = ours.map((cost, round) => cost.rssMb / (theirs[round] ?? cost).rssMb)
const row = (costs: readonly Cost[]) => ({
  'pages/CPU-s': Math.round(median(costs.map(pagesPerCpuSecond))),
  'pages/s': Math.round(median(costs.map(pagesPerSecond))),
  'CPU ms/page': Math.round(median(costs.map(({ cpuMs, items }) => cpuMs / items)) * 100) / 100,
  'peak RSS MB': Math.round(median(costs.map(({ rssMb }) => rssMb))),
})
const table = {
  'undici + p-limit(64) + cheerio.load': row(theirs),
  millrace: row(ours),
  'millrace, state kept nowhere': row(inMemory),
}
console.table(table)
const loop = {
  p99: median(ours.map(({ saturatedMs }) => saturatedMs.p99)),
  max: Math.max(...ours.map(({ saturatedMs }) => saturatedMs.max)),
}
const startUp = Math.max(...ours.map(({ loopDelayMs }) => loopDelayMs.max))
const mainMsPerPage = median(ours.map(({ mainCpuMs, items }) => mainCpuMs / items))
const figures = {
  bench: 'crawl',
  machine,
  count,
  rounds,
  table,
  ratio: median(ratios),
  storeRatio: median(storeRatios),
  rssRatio: median(rssRatios),
  saturatedLoopDelayMs: loop,
  wholeRunLoopDelayMaxMs: startUp,
  peakAtServer: peak,
  mainMsPerPage,
}
console.log(JSON.stringify(figures))
assertBounds([
  { name: 'pages per CPU-second, ratio to the baseline', value: figures.ratio, atLeast: 3 },
  {
    name: 'pages per second with the state in SQLite, ratio to keeping it nowhere',
    value: figures.storeRatio,
    atLeast: 0.9,
  },
  { name: 'peak resident memory, ratio to the baseline', value: figures.rssRatio, atMost: 1 },
  { name: 'event-loop delay of the main thread with all workers saturated, p99 ms', value: loop.p99, atMost: 20 },
  { name: 'event-loop delay of the main thread with all workers saturated, max ms', value: loop.max, atMost: 100 },
  { name: 'requests under way at once, seen by the server', value: peak, atMost: inFlight },
  { name: 'every page gave an item', value: Math.min(...ours.map(({ items }) => items)), atLeast: count },
])
