import type { BenchFigures, BenchRow } from './figures.ts'

/** What no setting can go beyond, in pages a second. */
export interface Roofs {
  /** Of the I/O, by requests in flight: each holds its place for the time of a request. */
  io(concurrency: number): number
  readonly parse: number
  readonly mainThread: number
  /** Of all cores together, which the server shares. */
  readonly cores: number
  /** Of the server; null: it takes any number at once. */
  readonly server: number | null
}

const least = (rows: readonly BenchRow[], of: (row: BenchRow) => number): number =>
  rows.reduce((lowest, row) => Math.min(lowest, of(row)), Number.POSITIVE_INFINITY)

/**
 * The roofline of a machine and a job, after Williams, Waterman and Patterson (2009): instead of memory and arithmetic,
 * what bounds a page is the way here and the reading of it. I/O gives N / R pages a second with N requests in flight that
 * take R each while nothing else is slow (Little, 1961); a stage with m servers that take D of each page gives m / D.
 * R and D are the least that was measured in any row: a roof is what the best row could have had.
 * Weakness: costs of a page fall a little where much is done at once, so a point may lie on a roof, or a hair above it.
 * @param rows of the same threads and the same pages
 */
export function roofsOf(rows: readonly BenchRow[], { machine, dials }: Omit<BenchFigures, 'rows' | 'job'>): Roofs {
  const { cores } = machine
  const threads = Math.max(1, rows[0]?.threads ?? 1)
  const requestMs = least(rows, row => row.requestMs)
  const workers = least(rows, ({ cpuMs }) => cpuMs.workers)
  const main = least(rows, ({ cpuMs }) => cpuMs.main)
  const all = least(rows, ({ cpuMs, serverCpuMs }) => cpuMs.main + cpuMs.workers + serverCpuMs)
  const rate = (servers: number, ms: number): number => (servers * 1000) / Math.max(1e-6, ms)
  return {
    io: concurrency => rate(concurrency, requestMs),
    parse: rate(Math.min(threads, cores), workers),
    mainThread: rate(1, main),
    cores: rate(cores, all),
    server: dials.capacity === null ? null : rate(dials.capacity, dials.latencyMs),
  }
}
