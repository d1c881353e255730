import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processCpuMs, realClock, threadCpuMs } from '../core/clock.ts'
import { listen } from '../core/events.ts'
import type { Job } from '../job/job.ts'
import { watchLoopDelay } from '../observe/loop-delay.ts'
import { crawl } from '../run/run.ts'
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

type Sums = { -readonly [Stage in keyof PageStages]: number } & {
  pages: number
  failed: number
  bytes: number
  requests: number
  requestMs: number
}

const noSums = (): Sums => ({
  ...{ pages: 0, failed: 0, bytes: 0, requests: 0, requestMs: 0 },
  ...{ connect: 0, firstByte: 0, body: 0, parseQueue: 0, parse: 0, commit: 0 },
})

/** What the events of a run add up to; `begin` starts anew. */
function gatherSums(run: string): Disposable & { readonly sums: Sums; begin(): void } {
  let sums = noSums()
  const listener = listen(run, {
    'task.settled'({ fate }) {
      if (fate.kind === 'dead') sums.failed += 1
    },
    'task.fetched'({ timing, bodyBytes }) {
      sums.bytes += bodyBytes
      if (timing === null) return
      sums.requests += 1
      sums.requestMs += timing.totalMs
      sums.connect += timing.connectMs
      sums.firstByte += timing.firstByteMs
      sums.body += Math.max(0, timing.totalMs - timing.firstByteMs - timing.connectMs)
    },
    'page.parsed'({ queuedMs, cpuMs }) {
      sums.pages += 1
      sums.parseQueue += queuedMs
      sums.parse += cpuMs
    },
    'task.kept'({ waitedMs }) {
      sums.commit += waitedMs
    },
  })
  return {
    get sums() {
      return sums
    },
    begin() {
      sums = noSums()
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

function stagesOf(sums: Sums): PageStages {
  const perPage = (ms: number): number => round(ms / Math.max(1, sums.pages), 3)
  const { connect, firstByte, body, parseQueue, parse, commit } = sums
  return {
    connect: perPage(connect),
    firstByte: perPage(firstByte),
    body: perPage(body),
    parseQueue: perPage(parseQueue),
    parse: perPage(parse),
    commit: perPage(commit),
  }
}

const never = new AbortController().signal

/** Runs one setting against the built-in server, with all that a run has, and measures its middle. */
export async function runRow(job: Job, task: RowTask): Promise<RowFigures> {
  const { origin, rules, threads, concurrency, seconds } = task
  const out = await mkdtemp(join(tmpdir(), 'millrace-bench-'))
  const demand = createDemand(origin, rules, 2 * concurrency + 16)
  const run = crawl(benchJobOf(job, origin, concurrency), { out, threads, seedInput: demand.lines })
  try {
    using gathered = gatherSums(run.id)
    using _demanded = listen(run.id, {
      'task.settled'({ fate }) {
        if (fate.kind !== 'retry' && fate.kind !== 'moved') demand.ended()
      },
    })
    const ending = run.finished()
    const ended = ending.then(
      () => true,
      () => true,
    )
    const sleep = (ms: number): Promise<boolean> => Promise.race([ended, realClock.sleep(ms, never).then(() => false)])
    const warmUntilMs = realClock.nowMs() + longestWarmUpMs
    while (gathered.sums.pages < warmUpPages && (realClock.nowMs() < warmUntilMs || gathered.sums.pages === 0))
      if (await sleep(10)) break
    gathered.begin()
    using loopDelay = watchLoopDelay(delayTickMs)
    const start = { ms: realClock.nowMs(), main: threadCpuMs(), all: processCpuMs() }
    await sleep(seconds * 1000)
    const measuredMs = realClock.nowMs() - start.ms
    const main = threadCpuMs() - start.main
    const { sums } = gathered
    const figures = figuresOf({ ...sums }, measuredMs, main, processCpuMs() - start.all - main)
    const delays = loopDelay.read()
    demand.close()
    await ending
    return { ...figures, loopDelayMs: delays, rssMb: Math.round(process.resourceUsage().maxRSS / 1024) }
  } finally {
    demand.close()
    await run.close()
    await rm(out, { recursive: true, force: true })
  }
}

function figuresOf(
  sums: Sums,
  measuredMs: number,
  mainMs: number,
  otherMs: number,
): Omit<RowFigures, 'loopDelayMs' | 'rssMb'> {
  const perPage = (ms: number): number => round(ms / Math.max(1, sums.pages), 3)
  return {
    pages: sums.pages,
    failed: sums.failed,
    measuredMs: Math.round(measuredMs),
    pagesPerSecond: round((sums.pages * 1000) / measuredMs, 1),
    megabytesPerSecond: round(sums.bytes / 1000 / measuredMs),
    cpuMs: { main: perPage(mainMs), workers: perPage(Math.max(0, otherMs)) },
    requestMs: round(sums.requestMs / Math.max(1, sums.requests)),
    stages: stagesOf(sums),
  }
}
