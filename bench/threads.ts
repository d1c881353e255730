import { availableParallelism } from 'node:os'
import { crawl, defineJob } from '../src/index.ts'
import { runChild, startChild } from './child.ts'
import { assertBounds, machine } from './machine.ts'

/**
 * What more threads bring where reading pages is what binds: whole runs over real pages that a user's module reads with
 * cheerio, by a browser's rules, with 1 to N threads. Beside each its efficiency: pages a second over what so many threads
 * could do if a page cost nothing but the time that one thread was busy with it, alone. The main thread, the server
 * and all of V8's helpers share the cores with them, so that N threads on N cores cannot have 1. And what the system calls
 * two cores may be one with two threads of its own: so two processes that share nothing are measured as well, alone and
 * side by side, and what they gain is what there is to be had.
 */
const count = Number(process.env.BENCH_PAGES ?? 1_000)
const mostThreads = Number(process.env.BENCH_THREADS ?? availableParallelism())

using server = await startChild('page-server.ts')
const base = `http://127.0.0.1:${(server.first as { readonly port: number }).port}`

interface Row {
  readonly pagesPerSecond: number
  /** How long a thread was busy with a page. */
  readonly busyMs: number
}

async function rowOf(threads: number): Promise<Row> {
  const job = defineJob({
    name: 'threads',
    seeds: Array.from({ length: count }, (_, nth) => `${base}/${nth}`),
    parser: 'browser',
    module: new URL('heavy-module.ts', import.meta.url).pathname,
    limits: { perHost: { policy: 'fixed', max: 32 }, rate: 'none', delayMs: 0, inFlight: 32 },
  })
  const { parse, pagesPerSecond, stages } = await crawl(job, { threads }).finished()
  return { pagesPerSecond, busyMs: stages.parseBusy / parse.pages }
}

async function paceOf(processes: number): Promise<number> {
  const paces = await Promise.all(
    Array.from({ length: processes }, () => runChild<{ pagesPerSecond: number }>('heavy-child.ts', [])),
  )
  return paces.reduce((sum, { pagesPerSecond }) => sum + pagesPerSecond, 0)
}

/** What a second core of this machine is good for: 2 where it is one. */
const gain = mostThreads < 2 ? 1 : (await paceOf(2)) / (await paceOf(1))
const rows: Row[] = []
for (let threads = 1; threads <= mostThreads; threads += 1) rows.push(await rowOf(threads))
/** What one thread could do if there were nothing but its pages. */
const alonePerSecond = 1000 / (rows[0]?.busyMs ?? Number.NaN)
console.table(
  rows.map(({ pagesPerSecond, busyMs }, nth) => ({
    threads: nth + 1,
    'pages/s': Math.round(pagesPerSecond * 10) / 10,
    'busy ms/page': Math.round(busyMs * 100) / 100,
    'over one thread alone': Math.round((pagesPerSecond / alonePerSecond) * 100) / 100,
    efficiency: Math.round((pagesPerSecond / alonePerSecond / (nth + 1)) * 100) / 100,
  })),
)
console.log(JSON.stringify({ bench: 'threads', machine, count, gain, alonePerSecond, rows }))
const over = (threads: number): number => (rows[threads - 1]?.pagesPerSecond ?? Number.NaN) / alonePerSecond
assertBounds([
  { name: 'pages/s of one thread over what its CPU could do', value: over(1), atLeast: 0.85 },
  ...(mostThreads < 2
    ? []
    : [
        {
          name: `pages/s of two threads over what the CPU of one could do, of the ${gain.toFixed(2)} that two processes have`,
          value: over(2) / gain,
          atLeast: 0.7,
        },
      ]),
])
