import { type Env, realClock, realEnv } from '../../src/core/clock.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import { createFetcher, type DirectFetcher, type FetcherOptions } from '../../src/fetch/create-fetcher.ts'
import type { Timeouts } from '../../src/job/job.ts'

export const timeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 60_000,
  parseMs: 5_000,
  minBytesPerSecond: 0,
}

export const taskFor = (url: string): Task => newTask(url, new URL(url), 'page', { url, askedUrl: url })

export const fetcherWith = (options: Partial<FetcherOptions> = {}): DirectFetcher =>
  createFetcher({
    env: realEnv,
    timeouts,
    bodyBytes: 10 * 2 ** 20,
    userAgent: 'millrace-test/1.0 (+https://millrace.test/)',
    headers: {},
    ...options,
  })

export const never = new AbortController().signal

export const get = (fetcher: DirectFetcher, url: string, signal: AbortSignal = never): Promise<Outcome> =>
  fetcher.fetch({ task: taskFor(url), route: null, grow: () => {} }, signal)

/** One attempt with a fetcher of its own. */
export async function getOnce(url: string, options: Partial<FetcherOptions> = {}): Promise<Outcome> {
  await using fetcher = fetcherWith(options)
  return await get(fetcher, url)
}

/** The outcome in a few words: `page 200 "text"`, `failed CODE`, `moved 302 url`, `throttled 429`, `gone 404`. */
export function wordsOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'page':
      return `page ${outcome.page.status} ${JSON.stringify(Buffer.from(outcome.page.body).toString('latin1'))}`
    case 'failed':
      return `failed ${outcome.fault.code}`
    case 'moved':
      return `moved ${outcome.status} ${outcome.url}`
    default:
      return `${outcome.kind} ${outcome.status}`
  }
}

export const messageOf = (outcome: Outcome): string => (outcome.kind === 'failed' ? outcome.fault.message : '')

/** A clock held in the hand, for work on real sockets: it stands still until it is moved. */
export interface HandClock {
  readonly env: Env
  readonly pendingTimers: number
  /** Moves on and fires what is due, each at its time. */
  advance(durationMs: number): void
  /** As after a blocked event loop: time is there at once, and all timers are late. */
  stall(durationMs: number): void
}

export function createHandClock(): HandClock {
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  let nowMs = 1_000

  function fireUntil(untilMs: number, isLate: boolean): void {
    for (;;) {
      const [next] = [...timers].filter(timer => timer.atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)
      if (next === undefined) break
      timers.delete(next)
      nowMs = Math.max(nowMs, isLate ? untilMs : next.atMs)
      next.run()
    }
    nowMs = untilMs
  }

  return {
    env: {
      ...realEnv,
      clock: {
        ...realClock,
        nowMs: () => nowMs,
        wallIso: () => '2026-01-01T00:00:00.000Z',
        after(durationMs, run) {
          const timer = { atMs: nowMs + durationMs, run }
          timers.add(timer)
          return { [Symbol.dispose]: () => void timers.delete(timer) }
        },
      },
    },
    get pendingTimers() {
      return timers.size
    },
    advance: durationMs => fireUntil(nowMs + durationMs, false),
    stall: durationMs => fireUntil(nowMs + durationMs, true),
  }
}
