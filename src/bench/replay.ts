import { type Env, realClock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { hashOf } from '../core/hash.ts'
import type { Job } from '../job/job.ts'
import type { Report } from '../observe/report.ts'
import type { Parser } from '../parse/parser.ts'
import { answersAtOnce, answersInTurn } from '../replay/answers.ts'
import { createLatency, hasTimes, type LatencyKind } from '../replay/latency.ts'
import { openRecording } from '../replay/open-recording.ts'
import { lastPageOf, type Recording } from '../replay/recording.ts'
import { createReplayFetcher, type OnPage } from '../replay/replay-fetcher.ts'
import { createPagePool } from '../run/page-pool.ts'
import { createOrderedItems } from './ordered-items.ts'
import type { ReplayFigures } from './replay-figures.ts'
import { type Half, replayJobOf } from './replay-job.ts'
import { createDroppingParser, createReplayParser, type Replayed } from './replay-parser.ts'
import { runTasks } from './replay-run.ts'
import { createReplayTasks, type ReplayTasks } from './replay-tasks.ts'
import { serveAnswers } from './served-answers.ts'

export interface ReplayOptions {
  /** A web archive: of `run --record`, or of somebody else. */
  readonly archive: string
  readonly half: Half
  /** Null: as recorded where the archive says it. Where pages are only parsed nothing is waited for. */
  readonly latency: LatencyKind | null
  /** Of all that is left to chance: modelled latencies, random delays between departures. */
  readonly seed: number
  readonly threads: number
  /** The first so many tasks of the recording. */
  readonly maxPages?: number
  /** Where item lines go, in the order of the recording. */
  readonly write: (lines: Uint8Array) => void
  readonly signal: AbortSignal
}

/** The same numbers for the same seed. */
function seededRandom(seed: number): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return hashOf(`${seed} draw ${drawn}`)
  }
}

function latencyKindOf({ latency, half, archive }: ReplayOptions, { chains }: Recording): LatencyKind {
  if (half === 'parse') return 'none'
  const isTimed = hasTimes(chains.flatMap(({ attempts }) => attempts))
  if (latency !== null && latency !== 'none' && !isTimed)
    throw new MillraceError(
      'CONFIG_INVALID',
      `--waits ${latency}: ${archive} does not say how long answers took, as archives of \`run --record\` do; accepted: none`,
    )
  return latency ?? (isTimed ? 'recorded' : 'none')
}

/** Threads have loaded and compiled what they need by then. */
const warmUpPages = 50

async function warmUp(parser: Parser, recording: Recording, { all }: ReplayTasks, signal: AbortSignal): Promise<void> {
  const { fetch } = createReplayFetcher({
    ...{ clock: realClock, recording, answers: answersAtOnce(recording) },
    delaysOf: createLatency('none', [], 0),
  })
  const read = async ({ task }: ReplayTasks['all'][number]): Promise<void> => {
    const outcome = await fetch({ task, route: null, grow: () => {} }, signal)
    if (outcome.kind !== 'page') return
    const { body, headers } = outcome.page
    const { askedUrl, url: finalUrl, page, depth, meta } = task
    const contentCoding = headers['content-encoding'] ?? ''
    const contentType = headers['content-type'] ?? ''
    const about = { askedUrl, finalUrl, page, depth, meta, contentCoding, contentType, fetchedAt: '' }
    await parser.parse({ body, want: 'bytes', ...about }, signal)
  }
  await Promise.all(all.slice(0, warmUpPages).map(read))
}

/**
 * Plays a recording back: its tasks in its order, through all that a run has. Which pages are read, as what and in which
 * order their items come depends on the recording alone; so the same recording gives the same items, byte for byte.
 *
 * @throws CONFIG_INVALID the archive has no page, or no times where they are asked for
 */
export async function replayJob(job: Job, options: ReplayOptions): Promise<ReplayFigures> {
  const { archive, half, seed, signal, write, threads, maxPages } = options
  await using recording = await openRecording(archive)
  const latency = latencyKindOf(options, recording)
  const attempts = recording.chains.flatMap(chain => chain.attempts)
  const hosts = [...new Set(attempts.map(({ url }) => new URL(url).host))]
  const played = replayJobOf(job, half, hosts)
  const tasks = createReplayTasks(played, recording, half, maxPages)
  const env: Env = { clock: realClock, random: seededRandom(seed) }

  await using opened = new AsyncDisposableStack()
  const served = half === 'parse' ? null : opened.use(await serveAnswers(played, recording, env))
  /** By the bodies of their pages. */
  const known = new WeakMap<Uint8Array, Replayed>()
  const onPage: OnPage = ({ task, body }, attempt) => {
    const nth = tasks.placeOf(task)
    const chain = nth === null ? undefined : tasks.all[nth]?.chain
    if (nth !== null && chain !== undefined) known.set(body, { nth, isLast: lastPageOf(chain) === attempt })
  }
  const fetcher = createReplayFetcher({
    ...{ clock: realClock, recording, onPage },
    answers: half === 'parse' ? answersAtOnce(recording) : answersInTurn(recording),
    delaysOf: createLatency(latency, attempts, seed),
    ...(served !== null && { ask: served.ask }),
  })
  const items = createOrderedItems(tasks.all.length, write)
  const pool = opened.use(half === 'io' ? createDroppingParser() : createPagePool(played, threads))
  await pool.ready()
  if (half !== 'io') await warmUp(pool, recording, tasks, signal)
  const parser = createReplayParser({
    ...{ parser: pool, onRead: items.read, isOthers: tasks.endsAt },
    aboutOf: body => known.get(body),
  })
  const report = await runTasks(played, { env, tasks, fetcher, parser, items, signal })
  const seen = (await served?.seen()) ?? null
  return {
    ...{ half, latency, seed, threads: half === 'io' ? 0 : threads },
    recording: { tasks: tasks.all.length, attempts: attempts.length, hosts: hosts.length, damage: recording.damage },
    ...{ failed: report.ledger.failed, missing: fetcher.missing },
    ...items.finish(),
    ...speedOf(report),
    server: seen === null ? null : { peak: seen.peak, cpuMs: perPage(seen.cpuMs, seen.requests) },
  }
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const perPage = (ms: number, pages: number): number => round(ms / Math.max(1, pages), 3)

function speedOf({ ledger, durationMs, bytesIn, cpuMs, loopDelayMs, bottleneck }: Report) {
  const seconds = Math.max(1, durationMs) / 1000
  const pages = ledger.done
  return {
    pages,
    durationMs: Math.round(durationMs),
    pagesPerSecond: round(pages / seconds, 1),
    megabytesPerSecond: Number((bytesIn / 1e6 / seconds).toPrecision(3)),
    cpuMs: { main: perPage(cpuMs.main, pages), workers: perPage(cpuMs.workers, pages) },
    loopDelayMs,
    rssMb: Math.round(process.resourceUsage().maxRSS / 1024),
    bottleneck,
  }
}
