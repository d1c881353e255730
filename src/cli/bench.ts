import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { benchPage } from '../bench/bench-page.ts'
import type { BenchFigures, BenchRow } from '../bench/figures.ts'
import type { JobSource } from '../bench/question.ts'
import { bestOf } from '../bench/row-verdict.ts'
import { rowsOf, type SweepOptions, sweep } from '../bench/sweep.ts'
import { MillraceError, sinkFailure } from '../core/errors.ts'
import { byteSize } from '../job/byte-size.ts'
import { loadJob } from '../job/load-job.ts'
import { availableThreads } from '../run/cores.ts'
import { makeOutFolder } from '../run/out-folder.ts'
import { checkBenchOptions } from './bench-options.ts'
import { benchReplay, type ReplayFlags, withReplayOptions } from './bench-replay.ts'
import { exitCodes } from './exit.ts'
import { wholeNumber } from './number.ts'
import { overrideOf, setting } from './setting.ts'
import { benchHeadings, benchLine } from './tell-bench.ts'
import { bold, counted, dim, print, printable, tell } from './terminal.ts'

interface BenchFlags extends ReplayFlags {
  readonly pages: readonly string[]
  readonly threads?: readonly number[]
  readonly concurrency: readonly number[]
  readonly size: readonly number[]
  readonly weight: number
  readonly latency: number
  readonly capacity?: number
  readonly seconds: number
  readonly out: string
  readonly set: readonly string[]
  readonly json?: boolean
}

const listOf =
  (read: (text: string) => number) =>
  (text: string): readonly number[] => [...new Set(text.split(',').map(part => read(part.trim())))]

function size(text: string): number {
  const bytes = byteSize(text)
  if (bytes === null || bytes < 1_000 || bytes > 10_000_000)
    throw new InvalidArgumentError('sizes from 1kB to 10MB are accepted, such as 10kB,100kB.')
  return bytes
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3_600)) throw new InvalidArgumentError('a number of seconds above 0 is accepted.')
  return value
}

const path = (text: string, before: readonly string[]): readonly string[] => [...before, text]

export function benchCommand(end: (exitCode: number) => void): Command {
  const command = new Command('bench')
    .description('parse against I/O on this machine: a sweep with figures, bench.json and bench.html')
    .argument('[job]', 'read --pages by this job, from the built-in server; no host of the job is asked')
    .option('--pages <path>', 'with a job: files, folders, .jsonl or .warc with its pages; may be repeated', path, [])
    .option('--threads <list>', 'worker threads (default: 1 and as many as there are cores)', listOf(wholeNumber(1)))
    .option('--concurrency <list>', 'requests in flight', listOf(wholeNumber(1)), [1, 4, 16, 64])
    .option('--size <list>', 'without a job: sizes of pages', listOf(size), [10_000, 100_000])
    .option('--weight <n>', 'without a job: elements for each kilobyte of a page', wholeNumber(1), 16)
    .option('--latency <ms>', 'how long the server takes for an answer', wholeNumber(0), 20)
    .option('--capacity <n>', 'how many answers the server works at, at once (default: no bound)', wholeNumber(1))
    .option('--seconds <n>', 'for so long each row is measured', positive, 1.5)
    .option('--out <dir>', 'folder for bench.json and bench.html', 'millrace-bench')
    .option('--set <path=value>', 'change one setting of the job; may be repeated', setting, [])
    .option('--json', 'print the figures as JSON on standard output')
  return withReplayOptions(command).action(async (file: string | undefined, flags: BenchFlags) => {
    const given = command.options.filter(option => command.getOptionValueSource(option.attributeName()) === 'cli')
    const way = flags.replay !== undefined ? 'recording' : file !== undefined ? 'job' : 'made'
    checkBenchOptions(
      given.map(option => option.name()),
      way,
    )
    if (flags.replay !== undefined) return end(await benchReplay(file, flags.replay, flags))
    const options = await optionsOf(file, flags)
    // Whoever has waited for figures should get them.
    await makeOutFolder(resolve(flags.out))
    using signals = watchSignals()
    const figures = await measure(file, flags, options, () => signals.code !== null)
    await keep(resolve(flags.out), figures)
    if (flags.json === true) print(JSON.stringify(figures, null, 2))
    end(signals.code ?? exitCodes.finished)
  })
}

interface Signals extends Disposable {
  /** To exit with; null: none came. */
  readonly code: number | null
}

/** The first one ends the sweep after the row that is being measured, a second one at once. */
function watchSignals(): Signals {
  let code: number | null = null
  const stop = (own: number) => (): void => {
    if (code !== null) process.exit(own)
    code = own
    tell('Stopping after this row: what is measured is kept. Once more leaves at once.')
  }
  const [interrupt, terminate] = [stop(exitCodes.interrupted), stop(exitCodes.terminated)]
  process.on('SIGINT', interrupt).on('SIGTERM', terminate)
  return {
    get code() {
      return code
    },
    [Symbol.dispose]: () => void process.off('SIGINT', interrupt).off('SIGTERM', terminate),
  }
}

async function optionsOf(file: string | undefined, flags: BenchFlags): Promise<SweepOptions> {
  const { threads, concurrency, size: pageBytes, weight, latency, capacity, seconds } = flags
  return {
    source: await sourceOf(file, flags),
    threads: threads ?? [...new Set([1, availableThreads()])],
    concurrency,
    pageBytes,
    dials: { latencyMs: latency, capacity: capacity ?? null, weight, seconds },
  }
}

async function sourceOf(file: string | undefined, { pages, set }: BenchFlags): Promise<JobSource> {
  if (file === undefined) {
    if (pages.length > 0) throw new MillraceError('CONFIG_INVALID', '--pages: a job that reads them must be named too')
    return null
  }
  if (pages.length === 0)
    throw new MillraceError(
      'CONFIG_INVALID',
      `${file}: its hosts are not asked by a bench; name pages of it with --pages: files, folders, .jsonl of { url, html }, or a .warc`,
    )
  const overrides = set.map(overrideOf)
  // What is wrong with it is told before anything is started.
  await loadJob(file, overrides, ['http://127.0.0.1/'])
  return { file: resolve(file), overrides, paths: pages.map(page => resolve(page)) }
}

async function measure(
  file: string | undefined,
  flags: BenchFlags,
  options: SweepOptions,
  isStopped: () => boolean,
): Promise<BenchFigures> {
  const all = rowsOf(options)
  tell(
    `${counted(all, 'row')} of ${flags.seconds} s each, against a server in another process that answers after ${flags.latency} ms.`,
  )
  tell(dim(benchHeadings))
  const rows: BenchRow[] = []
  for await (const row of sweep(options)) {
    rows.push(row)
    tell(benchLine(row))
    if (isStopped()) break
  }
  const best = bestOf(rows)
  if (best !== null) tell(best.bottleneck.sentence)
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() }
  return { job: file ?? null, machine, dials: options.dials, rows }
}

async function keep(folder: string, figures: BenchFigures): Promise<void> {
  try {
    await writeFile(join(folder, 'bench.json'), `${JSON.stringify(figures, null, 2)}\n`)
    await writeFile(join(folder, 'bench.html'), benchPage(figures))
  } catch (cause) {
    throw sinkFailure(folder, 'could not be written', cause)
  }
  tell(`Plots in ${bold(printable(join(folder, 'bench.html')))}`)
}
