import { describe, expect, test } from 'vitest'
import { listen } from '../../src/core/events.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { robotsPage } from '../../src/core/task.ts'
import type { FetchRequest } from '../../src/fetch/fetcher.ts'
import { crawl, type JobInput } from '../../src/index.ts'
import { createRandom, createSimEnv } from '../sim/random.ts'
import { adds, urlsOf } from './kit.ts'

const host = 'shop.test'
const answerMs = 50
const never = new AbortController().signal

type Limits = NonNullable<JobInput['limits']>

interface Written {
  readonly url: string
  readonly atMs: number
}

interface Wishes {
  readonly connectMs: number
  readonly limits: Limits
  readonly seeds?: readonly string[]
  readonly job?: Partial<JobInput>
  /** How long the host asks to wait; 20 s where left out. */
  readonly waitMs?: number
  /** Whether the host says so to this request: once, unless `isRepeated`. */
  readonly isRefused: (request: FetchRequest, writtenMs: number) => boolean
  readonly isRepeated?: boolean
  readonly onLooking?: (request: FetchRequest) => void
  /** So long after the host said that; left out: not at all. */
  readonly stopsAfterMs?: number
}

/** A host whose connections take their time, over a transport that asks before it writes, as ours does. */
async function run(wishes: Wishes) {
  const { connectMs, limits, seeds = urlsOf(host, 150), job = {}, isRefused, onLooking, stopsAfterMs } = wishes
  const { waitMs = 20_000, isRepeated = false } = wishes
  const env = createSimEnv(1)
  const { clock } = env
  const written: Written[] = []
  /** When the host asked to wait. */
  let refusedMs = Number.POSITIVE_INFINITY
  const waits: number[] = []
  let why = ''
  let looked = 0
  let inFlight = 0

  async function fetch(request: FetchRequest): Promise<Outcome> {
    const { task, depart, sent } = request
    const startedMs = clock.nowMs()
    onLooking?.(request)
    looked += 1
    // Some are sooner than others, or all that began together would leave together.
    await clock.sleep(connectMs * (0.6 + 0.2 * (looked % 5)), never)
    const stopped = { code: 'ABORTED', blame: 'caller', message: 'not written' } as const
    if ((await depart?.()) === false)
      return { kind: 'failed', fault: stopped, status: null, timing: null, retryAfterMs: null }
    sent?.()
    const atMs = clock.nowMs()
    written.push({ url: task.url, atMs })
    const isWait = (isRepeated || waits.length === 0) && isRefused(request, atMs)
    if (isWait) waits.push(atMs + answerMs)
    refusedMs = waits[0] ?? refusedMs
    await clock.sleep(answerMs, never)
    const timing = { connectMs, firstByteMs: answerMs, totalMs: clock.nowMs() - startedMs }
    if (isWait) return { kind: 'throttled', status: 429, retryAfterMs: waitMs, timing }
    if (task.page === robotsPage) return { kind: 'gone', status: 404, timing }
    const body = new TextEncoder().encode('<title>a page</title>')
    const headers = { 'content-type': 'text/html' }
    return { kind: 'page', page: { task, status: 200, headers, body, timing, reach: task.reach } }
  }

  const started = crawl(
    { seeds: [...seeds], item: { title: 'title' }, robots: { ignoreFor: [host] }, limits, ...job },
    { env, fetcher: { fetch, async [Symbol.asyncDispose]() {} }, threads: 0 },
  )
  const seen = { withdrawn: [] as string[], fetched: 0, charged: 0, underWay: 0 }
  using _seen = listen(started.id, {
    'task.admitted'() {
      seen.underWay += 1
    },
    'task.withdrawn'({ task }) {
      seen.underWay -= 1
      seen.withdrawn.push(task.url)
    },
    'task.fetched'() {
      seen.underWay -= 1
      seen.fetched += 1
    },
    'task.settled'({ fate }) {
      if (fate.kind === 'retry') seen.charged += 1
    },
  })
  const report = await clock.run(async () => {
    const ended = started.finished()
    while (clock.nowMs() < Math.min(refusedMs + 1.5 * connectMs + 1_000, 30_000)) await clock.sleep(100, never)
    why = started.explain(`http://${host}/149`)
    inFlight = started.progress().inFlight
    if (stopsAfterMs !== undefined) {
      await clock.sleep(stopsAfterMs, never)
      started.stop()
    }
    return ended
  })
  const withinPause = written.filter(({ atMs }) => waits.some(sinceMs => atMs > sinceMs && atMs < sinceMs + waitMs))
  return { report, written, withinPause, seen, why, inFlight, refusedMs, waits }
}

const paces: readonly (readonly [string, Limits])[] = [
  ['with a gap', { delayMs: 100, rate: 'none' }],
  ['with a rate', { delayMs: 0, rate: { perSecond: 10 } }],
  ['with a rate and a burst', { delayMs: 0, rate: { perSecond: 10, burst: 5 } }],
  ['without any', { delayMs: 0, rate: 'none' }],
]
const policies = ['fixed', 'aimd'] as const

describe.each(paces)('within a Retry-After nothing is written on a host %s', (_, pace) => {
  describe.each(policies)('(%s)', policy => {
    test.each([0, 100, 800, 3_000])('where a connection takes %i ms', async connectMs => {
      const perHost = { policy, max: 12 } as const
      const it = await run({
        connectMs,
        limits: { ...pace, perHost },
        isRefused: (_request, atMs) => atMs >= 3 * connectMs + 300,
      })
      const { report, written, seen } = it
      expect(it.refusedMs).toBeLessThan(30_000)
      expect(it.withinPause).toEqual([])
      expect(it.why).toMatch(/^shop\.test: limit \d+, 0 in flight, paused \d+ s: .*Retry-After of 20 s/)
      expect(report.ledger).toMatchObject({ discovered: 150, done: 150, failed: 0, pending: 0 })
      expect(adds(report.ledger)).toBe(true)
      // What was withdrawn was no attempt, for nobody: each URL was fetched once, and one twice.
      expect(written).toHaveLength(151)
      expect(seen).toMatchObject({ fetched: 151, charged: 1, underWay: 0 })
      expect(report.hosts[0]?.requests).toBe(151)
      expect(it.inFlight).toBe(0)
      expect(report.peakInFlight).toBeLessThanOrEqual(12)
      // Whatever looked for a connection by then is asked for once more, and after the pause one goes alone.
      if (connectMs >= 800) expect(seen.withdrawn.length).toBeGreaterThan(0)
      expect(seen.withdrawn.length).toBeLessThanOrEqual(12)
      const after = written.filter(({ atMs }) => atMs > it.refusedMs)
      expect((after[1]?.atMs ?? 0) - (after[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(answerMs)
    })
  })
})

test.each(policies)(
  'a host that asks to wait again and again gets each of its URLs asked for all the same (%s)',
  async policy => {
    const random = createRandom(7)
    const it = await run({
      connectMs: 1_500,
      limits: { delayMs: 50, rate: { perSecond: 10, burst: 3 }, perHost: { policy, max: 12 } },
      waitMs: 3_000,
      isRepeated: true,
      isRefused: () => random() < 0.15,
    })
    expect(it.waits.length).toBeGreaterThan(10)
    expect(it.seen.withdrawn.length).toBeGreaterThan(10)
    expect(it.withinPause).toEqual([])
    expect(it.report.ledger).toMatchObject({ discovered: 150, done: 150, failed: 0, pending: 0 })
    expect(it.written).toHaveLength(150 + it.waits.length)
    expect(it.seen).toMatchObject({ fetched: it.written.length, charged: it.waits.length, underWay: 0 })
  },
)

test('a robots file that is withdrawn is asked for after the pause, and before any page of its origin', async () => {
  const seeds = [...urlsOf(host, 20), ...urlsOf(host, 20).map(url => url.replace('http:', 'https:'))]
  const robots = `https://${host}/robots.txt`
  let isLooking = false
  const it = await run({
    connectMs: 500,
    limits: { delayMs: 0, rate: { perSecond: 2 }, perHost: { policy: 'fixed', max: 12 } },
    seeds,
    job: { robots: 'obey' },
    isRefused: (_request, atMs) => atMs > 8_000 && isLooking,
    onLooking: ({ task }) => {
      isLooking ||= task.url === robots
    },
  })
  expect(it.seen.withdrawn).toContain(robots)
  expect(it.withinPause).toEqual([])
  expect(it.report.ledger).toMatchObject({ discovered: 40, done: 40, pending: 0 })
  const secure = it.written.filter(({ url }) => url.startsWith('https:'))
  expect(secure.map(({ url }) => url).indexOf(robots)).toBe(0)
  expect(secure.filter(({ url }) => url === robots)).toHaveLength(1)
})

test('a run that is stopped within the pause keeps what was withdrawn for the next one', async () => {
  const it = await run({
    connectMs: 3_000,
    limits: { delayMs: 0, rate: 'none', perHost: { policy: 'fixed', max: 12 } },
    isRefused: (_request, atMs) => atMs >= 6_000,
    stopsAfterMs: 5_000,
  })
  expect(it.seen.withdrawn.length).toBeGreaterThan(0)
  expect(it.seen.underWay).toBe(0)
  expect(it.withinPause).toEqual([])
  expect(adds(it.report.ledger)).toBe(true)
  expect(it.report.ledger).toMatchObject({ failed: 0, skipped: 0 })
  expect(it.report.ledger.pending).toBeGreaterThan(0)
})
