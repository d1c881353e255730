import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../src/core/clock.ts'
import type { Fault } from '../src/core/errors.ts'
import { listen } from '../src/core/events.ts'
import { crawl, type JobInput } from '../src/index.ts'
import type { ModelServers } from './model-server.ts'
import { urlsOf } from './outing.ts'

const otherHosts = Array.from({ length: 49 }, (_, nth) => `127.0.0.${nth + 2}`)
export const pagesEach = 500
const longestMs = 150_000
/** A URL that failed before its host was given up waits up to a minute for its next attempt, and ends then. */
const endingMs = 60_000
/** By then every limit has found its host. */
const settledMs = 30_000

/** 49 hosts of two workers and one more, which may be dead. */
export interface Fifty {
  /** When the 49 were through. */
  readonly doneMs: number
  /** Of the last one, in all the time that permits were out after half a minute. */
  readonly share: number
  /** Its URLs that ended, and those of them that ended badly. */
  readonly ended: number
  readonly faults: readonly Fault[]
  /** That it saw. */
  readonly requests: number
}

/** How long permits were out, those of one host and all. */
function createPermits(isOne: (host: string) => boolean, fromMs: number) {
  const inFlight = { one: 0, all: 0 }
  const heldMs = { one: 0, all: 0 }
  let lastMs = fromMs
  return {
    heldMs,
    count(host: string, by: 1 | -1): void {
      const nowMs = realClock.nowMs()
      const sinceMs = Math.max(0, nowMs - lastMs)
      heldMs.one += inFlight.one * sinceMs
      heldMs.all += inFlight.all * sinceMs
      lastMs = Math.max(nowMs, fromMs)
      inFlight.all += by
      if (isOne(host)) inFlight.one += by
    },
  }
}

/** Whatever comes first; a timer that is left behind would keep the process. */
async function within(durationMs: number, awaited: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([awaited, sleep(durationMs, undefined, { signal: over.signal })])
  } finally {
    over.abort()
  }
}

/** @param isDead the last one accepts and never answers; its URLs are waited for too */
export async function fifty(servers: ModelServers, isDead: boolean): Promise<Fifty> {
  const small = { workers: 2, queue: 4, meanMs: 300 }
  const others = await Promise.all(otherHosts.map(() => servers.start(small)))
  const last = await servers.start({ ...small, isSilent: isDead })
  const seeds = [
    ...urlsOf('127.0.0.1', last.port, pagesEach),
    ...others.flatMap(({ port }, nth) => urlsOf(otherHosts[nth] ?? '', port, pagesEach)),
  ]
  const job: JobInput = {
    seeds,
    item: { title: 'h1' },
    limits: { perHost: { policy: 'aimd', start: 2, max: 256 }, delayMs: 0, inFlight: 256 },
    timeouts: { firstByteMs: 5_000 },
    // The bench decides when a host that never answers is left alone, not its robots file.
    robots: { ignoreFor: ['127.0.0.1'] },
  }
  const run = crawl(job, { threads: 0 })
  const isLast = (host: string): boolean => host === `127.0.0.1:${last.port}`
  const startMs = realClock.nowMs()
  const permits = createPermits(isLast, startMs + settledMs)
  const through = Promise.withResolvers<void>()
  const endings = new Map<string, Fault | null>()
  let pages = 0
  let doneMs = Number.POSITIVE_INFINITY
  using _ear = listen(run.id, {
    'task.admitted': ({ task }) => permits.count(task.host, 1),
    'task.fetched'({ task, outcome }) {
      permits.count(task.host, -1)
      if (isLast(task.host) || outcome !== 'page') return
      pages += 1
      if (pages < otherHosts.length * pagesEach) return
      doneMs = realClock.nowMs() - startMs
      through.resolve()
    },
    'task.settled'({ task, fate }) {
      if (!isLast(task.host) || fate.kind === 'retry' || fate.kind === 'moved') return
      endings.set(task.url, fate.kind === 'dead' ? fate.fault : null)
    },
  })
  const ending = run.finished()
  await within(longestMs, through.promise)
  const { one, all } = { ...permits.heldMs }
  if (isDead) await within(endingMs, ending)
  const { arrivedAtMs } = await last.read()
  await run.close()
  await ending.catch(() => {})
  return {
    doneMs,
    share: one / Math.max(1, all),
    ended: endings.size,
    faults: [...endings.values()].filter(fault => fault !== null),
    requests: arrivedAtMs.length,
  }
}
