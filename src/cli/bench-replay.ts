import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { lateMs } from '../bench/figures.ts'
import { replayJob } from '../bench/replay.ts'
import type { ReplayFigures } from '../bench/replay-figures.ts'
import { countText } from '../core/count-text.ts'
import { MillraceError } from '../core/errors.ts'
import { loadJob } from '../job/load-job.ts'
import { availableThreads } from '../run/cores.ts'
import { makeOutFolder } from '../run/out-folder.ts'
import { exitCodes } from './exit.ts'
import { wholeNumber } from './number.ts'
import { overrideOf } from './setting.ts'
import { bold, bytes, counted, dim, duration, print, printable, red, tell } from './terminal.ts'

/** Options of `bench` that play a recording back. */
export interface ReplayFlags {
  readonly replay?: string
  readonly half: ReplayFigures['half']
  readonly waits?: ReplayFigures['latency']
  readonly seed: number
  readonly maxPages?: number
}

interface OtherFlags {
  readonly threads?: readonly number[]
  readonly out: string
  readonly set: readonly string[]
  readonly json?: boolean
}

function seed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number of at most nine digits is accepted.')
  return Number(text)
}

export const withReplayOptions = (command: Command): Command =>
  command
    .option('--replay <archive>', 'with a job: play a recording of `run --record` back, or another .warc(.gz)')
    .addOption(
      new Option('--half <half>', 'of a recording: reading pages, fetching them, or both')
        .choices(['parse', 'io', 'both'])
        .default('both'),
    )
    .addOption(
      new Option('--waits <kind>', 'of a recording: how late its answers are (default: as recorded)').choices([
        'none',
        'recorded',
        'modelled',
      ]),
    )
    .option('--seed <n>', 'of a recording: of modelled waits, and of all else that is left to chance', seed, 1)
    .option('--max-pages <n>', 'of a recording: the first so many', wholeNumber(1))

/** Plays a recording back; items and figures go to the folder. */
export async function benchReplay(
  file: string | undefined,
  archive: string,
  flags: ReplayFlags & OtherFlags,
): Promise<number> {
  if (file === undefined)
    throw new MillraceError('CONFIG_INVALID', '--replay: a job that reads the pages of the recording must be named too')
  if (flags.threads !== undefined && flags.threads.length > 1)
    throw new MillraceError('CONFIG_INVALID', '--threads: one number is accepted with --replay')
  // Seeds are of no matter here, but a job without any is none.
  const job = await loadJob(file, flags.set.map(overrideOf), ['http://127.0.0.1/'])
  const folder = resolve(flags.out)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(new MillraceError('ABORTED', 'the replay was stopped'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await makeOutFolder(folder)
    const items = openItems(join(folder, 'items.jsonl'))
    tell(`Plays ${printable(archive)} back; the recording is unpacked first.`)
    const figures = await replayJob(job, {
      archive: resolve(archive),
      half: flags.half,
      latency: flags.waits ?? null,
      seed: flags.seed,
      threads: flags.threads?.[0] ?? availableThreads(),
      ...(flags.maxPages !== undefined && { maxPages: flags.maxPages }),
      write: items.write,
      signal: stopping.signal,
    })
    await items.end()
    await writeFile(join(folder, 'replay.json'), `${JSON.stringify(figures, null, 2)}\n`)
    tellReplay(figures, folder)
    if (flags.json === true) print(JSON.stringify(figures, null, 2))
    return stopping.signal.aborted ? exitCodes.interrupted : exitCodes.finished
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Lines as they come; what is wrong with the file is told at its end. */
function openItems(path: string): { write(lines: Uint8Array): void; end(): Promise<void> } {
  const stream = createWriteStream(path)
  const written = finished(stream)
  // Heard of at the end.
  written.catch(() => {})
  return {
    write: lines => void stream.write(lines),
    async end() {
      stream.end()
      await written.catch(cause => {
        throw new MillraceError('SINK_FAILED', `${path} could not be written: ${String(cause)}`, { cause })
      })
    },
  }
}

const halves: Readonly<Record<ReplayFigures['half'], string>> = {
  parse: 'pages read, nothing waited for',
  io: 'pages fetched and dropped',
  both: 'pages fetched and read',
}

function tellReplay(figures: ReplayFigures, folder: string): void {
  const { half, latency, seed: ofChance, threads, recording, pages, failed, missing, items, sha256 } = figures
  const { durationMs, pagesPerSecond, megabytesPerSecond, cpuMs, loopDelayMs, rssMb, server, bottleneck } = figures
  if (recording.damage !== null) tell(red(`The archive is not whole: ${printable(recording.damage)}`))
  const waits = half === 'parse' ? '' : `, waits ${latency}${latency === 'modelled' ? `, seed ${ofChance}` : ''}`
  const at = half === 'io' ? '' : ` in ${counted(threads, 'thread')}`
  tell(`${bold(halves[half])}${at}${waits}: ${counted(pages, 'page')} in ${duration(durationMs)}`)
  tell(`${countText(pagesPerSecond)} pages/s, ${bytes(Math.round(megabytesPerSecond * 1e6))}/s`)
  tell(`CPU of a page: main thread ${cpuMs.main} ms, workers ${cpuMs.workers} ms; ${rssMb} MB at most`)
  const late = `loop delay p99 ${loopDelayMs.p99} ms`
  tell(loopDelayMs.p99 < lateMs ? late : red(`${late}, not < ${lateMs} ms`))
  if (server !== null)
    tell(`${server.peak} requests at once at the server, which took ${server.cpuMs} ms of CPU for each`)
  if (failed > 0) tell(`${counted(failed, 'URL')} ended without a page, as recorded`)
  if (missing > 0) tell(red(`${counted(missing, 'request')} asked for what the recording does not have`))
  if (half !== 'io')
    tell(`${counted(items, 'item')} in ${printable(join(folder, 'items.jsonl'))} ${dim(`sha256 ${sha256}`)}`)
  tell(printable(bottleneck.sentence))
}
