import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunProfile, StageLevels } from '../analyse/run-profile.ts'
import { realClock } from '../core/clock.ts'
import { listen } from '../core/events.ts'
import type { Job } from '../job/job.ts'
import { watchLoopDelay } from '../observe/loop-delay.ts'
import { levelsOver, type ProfileFacts, profileOf, spentMsOf } from '../observe/profile.ts'
import { gatherRunStats, type RunStats } from '../observe/run-stats.ts'
import type { StageSpreads } from '../observe/stage-times.ts'
import { gatherTimeline } from '../observe/timeline.ts'
import { capacityOf } from '../run/capacity.ts'
import { crawl } from '../run/run.ts'
import { reserveBytes } from '../run/run-gates.ts'
import { type Elapsed, startStopwatch } from '../run/stopwatch.ts'
import { benchJobOf } from './bench-job.ts'
import { createDemand } from './demand.ts'
import type { PageStages, RowFigures } from './figures.ts'

export interface RowTask {
  readonly origin: string
  /** Page rules of the pages that are served, in their order. */
  readonly rules: readonly string[]
  readonly threads: number
  readonly concurrency: number
  readonly seconds: number
}

/** Threads have compiled what they need by then, and connections are open. */
const warmUpPages = 200
const longestWarmUpMs = 1_500

/** Closer than that of a run: a row is short, and few ticks would make its worst one its 99th percentile. */
const delayTickMs = 4

const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

const perPageOf =
  (pages: number) =>
  (ms: number): number =>
    round(ms / Math.max(1, pages), 3)

function stagesOf({ wait, fetch, parse, commit }: StageSpreads, pages: number): PageStages {
  const perPage = perPageOf(pages)
  const waited = Object.entries(wait).filter(([, { totalMs }]) => totalMs > 0)
  return {
    wait: Object.fromEntries(waited.map(([cause, { totalMs }]) => [cause, perPage(totalMs)])),
    connect: perPage(fetch.connect.totalMs),
    tls: perPage(fetch.tls.totalMs),
    firstByte: perPage(fetch.firstByte.totalMs),
    body: perPage(fetch.body.totalMs),
    parseQueue: perPage(parse.queue.totalMs),
    decode: perPage(parse.decode.totalMs),
    extract: perPage(parse.extract.totalMs),
    serialise: perPage(parse.serialise.totalMs),
    commit: perPage(commit.totalMs),
  }
}

const never = new AbortController().signal

/** Runs one setting against the built-in server, with all that a run has, and measures its middle. */
export async function runRow(job: Job, task: RowTask): Promise<RowFigures> {
  const { origin, rules, threads, concurrency, seconds } = task
  const out = await mkdtemp(join(tmpdir(), 'millrace-bench-'))
  const demand = createDemand(origin, rules, 2 * concurrency + 16)
  const benched = benchJobOf(job, origin, concurrency)
  const run = crawl(benched, { out, threads, seedInput: demand.lines })
  let ended = 0
  try {
    using _demanded = listen(run.id, {
      'task.settled'({ fate }) {
        if (fate.kind === 'retry' || fate.kind === 'moved') return
        ended += 1
        demand.ended()
      },
    })
    // From the beginning: what is in a stage when the row begins came there before.
    using timeline = gatherTimeline(run.id, realClock.nowMs)
    const spentMs = (): StageLevels => spentMsOf(timeline.read(realClock.nowMs()))
    const ending = run.finished()
    const isOver = ending.then(
      () => true,
      () => true,
    )
    const sleep = (ms: number): Promise<boolean> => Promise.race([isOver, realClock.sleep(ms, never).then(() => false)])
    const warmUntilMs = realClock.nowMs() + longestWarmUpMs
    while (ended < warmUpPages && (realClock.nowMs() < warmUntilMs || ended === 0)) if (await sleep(10)) break
    using stats = gatherRunStats(run.id)
    using loopDelay = watchLoopDelay(delayTickMs)
    const stopwatch = startStopwatch(realClock)
    const spentBeforeMs = spentMs()
    await sleep(seconds * 1000)
    const elapsed = stopwatch.read()
    const delays = loopDelay.read()
    const counted = levelsOver(elapsed.durationMs, spentMs(), spentBeforeMs)
    const profile = rowProfileOf(benched, stats, { ...elapsed, threads, loopDelayMs: delays, counted })
    const figures = { ...figuresOf(stats, elapsed), profile }
    demand.close()
    await ending
    return { ...figures, loopDelayMs: delays, rssMb: Math.round(process.resourceUsage().maxRSS / 1024) }
  } finally {
    demand.close()
    await run.close()
    await rm(out, { recursive: true, force: true })
  }
}

/**
 * As a run has it of itself in its report, over the middle alone: starting and warming up would be half of what it says.
 * The one host of a bench takes what is asked of it, and answers as late whoever asks.
 */
function rowProfileOf(
  job: Job,
  stats: RunStats,
  measured: Elapsed & Pick<ProfileFacts, 'threads' | 'loopDelayMs' | 'counted'>,
): RunProfile {
  const { durationMs, foreignCores } = measured
  const fullness = stats.counts.requestMs / durationMs / job.limits.inFlight
  return profileOf(
    {
      ...measured,
      capacity: capacityOf({ job, reserveBytes, proxies: 0, foreignCores }),
      ...{ pacedShare: 0, raisableShare: 1, untriedShare: 0 },
      hosts: [{ requests: stats.counts.fetches, fullness }],
    },
    stats,
  )
}

function figuresOf(
  { counts, stages, codes, stageTimes }: RunStats,
  { durationMs, mainCpuMs, otherCpuMs }: Elapsed,
): Omit<RowFigures, 'loopDelayMs' | 'rssMb' | 'profile'> {
  const { pages, bytesIn } = counts
  const perPage = perPageOf(pages)
  const times = stageTimes()
  return {
    pages,
    failed: Object.values(codes).reduce((sum, count) => sum + count, 0),
    measuredMs: Math.round(durationMs),
    pagesPerSecond: round((pages * 1000) / durationMs, 1),
    megabytesPerSecond: round(bytesIn / 1000 / durationMs),
    cpuMs: { main: perPage(mainCpuMs), workers: perPage(otherCpuMs) },
    requestMs: round((stages.connect + stages.firstByte + stages.body) / Math.max(1, times.fetch.firstByte.count)),
    stages: stagesOf(times, pages),
  }
}
