import { describe, expect, test } from 'vitest'
import { classify } from '../../src/fetch/classify.ts'
import type { Ending } from '../../src/fetch/ending.ts'
import type { ClosableFetcher } from '../../src/fetch/fetcher.ts'
import { timeouts } from '../fetch/kit.ts'
import type { SimEnv } from '../sim/random.ts'
import { simulate, urlsOf } from './kit.ts'

const hourMs = 3_600_000
const answersAtMs = 50
const pauseMs = 30_000
/** By the host's own clock, which is right. */
const hostWallMs = (nowMs: number): number => Date.UTC(2026, 0, 1) + nowMs
const httpDate = (wallMs: number): string => new Date(wallMs).toUTCString()
const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

interface Jump {
  readonly atMs: number
  readonly byMs: number
}

/** A host that asks to be left alone until a time of day, and crawled on a machine whose clock is set meanwhile. */
async function departures(jumps: readonly Jump[], seed: number, hasDate: boolean): Promise<readonly number[]> {
  const leftMs: number[] = []
  let env: SimEnv | null = null
  const fetcher: ClosableFetcher = {
    async fetch({ task }, signal) {
      if (env === null) throw new Error('asked before the run began')
      const { clock } = env
      leftMs.push(clock.nowMs())
      await clock.sleep(answersAtMs, signal)
      const nowMs = clock.nowMs()
      const headers = {
        'retry-after': httpDate(hostWallMs(pauseMs)),
        ...(hasDate && { date: httpDate(hostWallMs(nowMs)) }),
      }
      const ending: Ending = {
        kind: 'answered',
        head: { status: nowMs < pauseMs ? 503 : 200, headers, setCookies: [] },
        body: new Uint8Array(0),
        from: 'public',
        timing: { connectMs: 0, firstByteMs: answersAtMs, totalMs: answersAtMs },
      }
      return classify(ending, { task, timeouts, bodyBytes: 1_000, wallNowMs: () => Date.parse(clock.wallIso()) })
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const { report } = await simulate({
    job: {
      seeds: urlsOf('a.test', 20),
      item: { title: 'title' },
      limits: { perHost: { policy: 'aimd', start: 2, max: 8 }, rate: 'none', delayMs: 0 },
      robots: { ignoreFor: ['a.test'] },
    },
    hosts: {},
    seed,
    options: { fetcher },
    during(_, runEnv) {
      env = runEnv
      for (const { atMs, byMs } of jumps) runEnv.clock.after(atMs, () => runEnv.clock.jumpWall(byMs))
    },
  })
  expect(report.ledger).toMatchObject({ done: 20, failed: 0, pending: 0 })
  return leftMs
}

function expectPaused(leftMs: readonly number[]): void {
  const next = leftMs.find(atMs => atMs > answersAtMs) ?? Number.POSITIVE_INFINITY
  // An HTTP date has no milliseconds.
  expect(next).toBeGreaterThanOrEqual(pauseMs)
  expect(next).toBeLessThanOrEqual(pauseMs + 10_000)
  expect(Math.max(...leftMs)).toBeLessThan(2 * pauseMs)
}

describe.each([
  ['forth', hourMs],
  ['back', -hourMs],
])('a clock on the wall that jumps %s an hour (L20)', (_, byMs) => {
  test.each(seeds)('makes no pause that was asked for an hour long, and skips none (seed %i)', async seed => {
    const before = { atMs: answersAtMs / 2, byMs }
    const during = { atMs: 10_000, byMs }
    expectPaused(await departures([before], seed, true))
    expectPaused(await departures([during], seed, true))
    expectPaused(await departures([before, { ...during, byMs: -byMs }], seed, true))
    // Without a Date, the clock of ours has to be right when the answer comes, and only then.
    expectPaused(await departures([during], seed, false))
  })
})
