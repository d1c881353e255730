import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchFigures, type BenchRow, lateMs } from '../src/bench/figures.ts'
import { buildDist, distMain } from './dist.ts'
import { tableOf, writeFigures } from './docs-figures.ts'
import { assertBounds, machine, median } from './machine.ts'

/**
 * `millrace bench` as a user runs it, several times: 1 and 2 threads, 1 to 64 requests in flight, pages of 10 and of 100 kB.
 * The main thread must be free for I/O in every row, whatever the threads do: its timers are late by less than 20 ms in 99
 * of 100 cases. Each row is the median of its rounds, since a row is 1.5 seconds on cores that others may use as well.
 *
 *     node bench/sweep.ts [ROUNDS] [--docs]      with --docs its table goes into docs/bench.md
 */
const args = process.argv.slice(2).filter(arg => arg !== '--docs')
const rounds = Number(args[0] ?? 3)

buildDist()

async function sweepOnce(): Promise<readonly BenchRow[]> {
  const out = await mkdtemp(join(tmpdir(), 'millrace-sweep-'))
  try {
    execFileSync(process.execPath, [distMain, 'bench', '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] })
    const { rows }: BenchFigures = JSON.parse(await readFile(join(out, 'bench.json'), 'utf8'))
    return rows
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

const swept: (readonly BenchRow[])[] = []
for (let round = 0; round < rounds; round += 1) swept.push(await sweepOnce())

const nameOf = ({ threads, concurrency, pageBytes }: BenchRow): string => `${threads}/${concurrency}/${pageBytes}`
const settings = [...Map.groupBy(swept.flat(), nameOf).values()]
const middle = (rows: readonly BenchRow[], of: (row: BenchRow) => number): number => median(rows.map(of))
const latest = Math.max(...settings.map(rows => middle(rows, ({ loopDelayMs }) => loopDelayMs.p99)))

const table = tableOf(
  [
    'threads',
    'in flight',
    'page',
    'pages/s',
    'CPU of a page, main thread',
    'other threads',
    'seen by the server',
    'late, p99',
    'binds',
  ],
  settings.flatMap(rows => {
    const [row] = rows
    if (row === undefined) return []
    return [
      [
        String(row.threads),
        String(row.concurrency),
        `${Math.round(row.pageBytes / 1000)} kB`,
        String(Math.round(middle(rows, ({ pagesPerSecond }) => pagesPerSecond))),
        `${middle(rows, ({ cpuMs }) => cpuMs.main).toFixed(2)} ms`,
        `${middle(rows, ({ cpuMs }) => cpuMs.workers).toFixed(2)} ms`,
        String(middle(rows, ({ peakAtServer }) => peakAtServer)),
        `${middle(rows, ({ loopDelayMs }) => loopDelayMs.p99).toFixed(1)} ms`,
        row.bottleneck.kind,
      ],
    ]
  }),
)
console.log(table)
console.log(JSON.stringify({ bench: 'sweep', machine, rounds, swept }))
if (process.argv.includes('--docs')) {
  const measured = `Medians of ${rounds} rounds, on ${machine.cores} cores (${machine.cpu}, Node ${machine.node}):`
  await writeFigures('bench.md', 'sweep.ts', `${measured}\n\n${table}`)
}
assertBounds([
  { name: 'rows', value: settings.length, atLeast: 16 },
  {
    name: 'requests that failed',
    value: swept.flat().reduce((sum, { failed }) => sum + failed, 0),
    atMost: 0,
  },
  { name: 'lateness of the main thread in the worst row, p99, ms', value: latest, atMost: lateMs },
])
