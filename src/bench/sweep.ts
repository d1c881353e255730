import { startBenchProcess } from './bench-process.ts'
import type { BenchRow, Dials, RowFigures } from './figures.ts'
import type { JobSource, Serving } from './question.ts'
import type { Seen } from './request-gauge.ts'
import { verdictOf } from './row-verdict.ts'

export interface SweepOptions {
  /** Null: pages that are made, in these sizes. */
  readonly source: JobSource
  readonly threads: readonly number[]
  readonly concurrency: readonly number[]
  /** Of pages that are made. */
  readonly pageBytes: readonly number[]
  readonly dials: Dials
}

export const rowsOf = ({ source, threads, concurrency, pageBytes }: SweepOptions): number =>
  threads.length * concurrency.length * (source === null ? pageBytes.length : 1)

/**
 * Runs every setting, and gives each row as soon as it is measured. The server is a process of its own, so that its CPU
 * is not the run's, and so is each run: none is warm from the one before, and none has its memory.
 * @throws MillraceError what went wrong in one of them
 */
export async function* sweep(options: SweepOptions): AsyncGenerator<BenchRow> {
  const { source, threads, concurrency, dials } = options
  for (const pageBytes of source === null ? options.pageBytes : [0]) {
    await using server = startBenchProcess()
    const serving = await server.ask<Serving>({ ask: 'serve', source, pageBytes, dials })
    for (const threadCount of threads)
      for (const inFlight of concurrency) {
        await using runner = startBenchProcess()
        await server.ask<Seen>({ ask: 'seen' })
        const { origin, rules } = serving
        const task = { origin, rules, threads: threadCount, concurrency: inFlight, seconds: dials.seconds }
        const figures = await runner.ask<RowFigures>({ ask: 'row', source, task })
        const { peak, requests, cpuMs } = await server.ask<Seen>({ ask: 'seen' })
        const row = {
          threads: threadCount,
          concurrency: inFlight,
          pageBytes: Math.round(serving.meanBytes),
          ...figures,
          peakAtServer: peak,
          serverCpuMs: Math.round((cpuMs / Math.max(1, requests)) * 1000) / 1000,
        }
        yield { ...row, ...verdictOf(row, dials) }
      }
  }
}
