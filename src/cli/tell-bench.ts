import { type BenchRow, lateMs } from '../bench/figures.ts'
import { boundNames } from '../bench/row-verdict.ts'
import { bytes, red } from './terminal.ts'

const columns = [
  { head: 'threads', width: 7, cell: ({ threads }: BenchRow) => String(threads) },
  { head: 'in flight', width: 9, cell: ({ concurrency }: BenchRow) => String(concurrency) },
  { head: 'page', width: 8, cell: ({ pageBytes }: BenchRow) => bytes(pageBytes) },
  { head: 'pages/s', width: 9, cell: (row: BenchRow) => row.pagesPerSecond.toFixed(0) },
  { head: 'MB/s', width: 7, cell: (row: BenchRow) => row.megabytesPerSecond.toFixed(1) },
  { head: 'CPU ms: main', width: 13, cell: ({ cpuMs }: BenchRow) => cpuMs.main.toFixed(2) },
  { head: 'workers', width: 8, cell: ({ cpuMs }: BenchRow) => cpuMs.workers.toFixed(2) },
  { head: 'peak at server', width: 15, cell: ({ peakAtServer }: BenchRow) => String(peakAtServer) },
  { head: 'RSS MB', width: 7, cell: ({ rssMb }: BenchRow) => String(rssMb) },
  { head: 'binds', width: 11, cell: ({ bottleneck }: BenchRow) => boundNames[bottleneck.kind] },
] as const

export const benchHeadings = `${columns.map(({ head, width }) => head.padStart(width)).join(' ')}  loop delay p99`

/** One row of the sweep; the delay of the main thread is marked by whether it keeps its bound. */
export function benchLine(row: BenchRow): string {
  const { p99 } = row.loopDelayMs
  const text = `${p99.toFixed(1)} ms`.padStart(9)
  const mark = p99 < lateMs ? `${text}  < ${lateMs} ms` : red(`${text}  not < ${lateMs} ms`)
  const failed = row.failed === 0 ? '' : red(`  ${row.failed} requests failed`)
  return `${columns.map(({ cell, width }) => cell(row).padStart(width)).join(' ')}  ${mark}${failed}`
}
