import type { Clock } from '../../src/core/clock.ts'
import { faultOf } from '../../src/core/errors.ts'
import { createEvents } from '../../src/core/events.ts'
import { type Outcome, readingOf } from '../../src/core/outcome.ts'
import type { ProxyFailure, ProxySpec } from '../../src/core/route.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import type { LimiterPolicy } from '../../src/job/job.ts'
import { createLimiter } from '../../src/limit/index.ts'
import { fateOf, withCharge } from '../../src/pace/retry.ts'
import type { ProxyLease } from '../../src/proxy/lease.ts'
import { createProxyPool, type ProxyPool } from '../../src/proxy/pool.ts'
import { createEventHeap } from '../limit/event-heap.ts'
import { createRandom } from '../sim/random.ts'

/** How the way through one exit goes: null as it should, else a fault that shows after a while. */
export type Weather = (
  region: string,
  label: string,
  nowMs: number,
) => { readonly failure: ProxyFailure; readonly afterMs: number } | null

export interface DriveOptions {
  readonly specs: readonly ProxySpec[]
  readonly weather: Weather
  readonly urls: number
  /** URLs that come up, per second. */
  readonly perSecond: number
  readonly untilMs: number
  readonly seed: number
  readonly policy?: LimiterPolicy
}

export interface Attempt {
  readonly url: number
  readonly label: string
  readonly region: string
  readonly atMs: number
  readonly endedAtMs: number
  readonly isFault: boolean
}

export interface Drive {
  readonly attempts: readonly Attempt[]
  readonly done: number
  readonly dead: number
  /** From when a URL came up to its end. */
  readonly times: readonly { readonly cameAtMs: number; readonly tookMs: number }[]
  readonly limits: readonly { readonly atMs: number; readonly limit: number }[]
  readonly pool: ProxyPool
}

const rules = { url: 3, proxy: 5, totalWaitMs: 600_000 }
const adaptive: LimiterPolicy = { policy: 'aimd', start: 2, max: 64 }
const connectMs = 20
const meanServiceMs = 100

export const specsOf = (region: string, count: number): readonly ProxySpec[] =>
  Array.from({ length: count }, (_, nth) => {
    const label = `${region}${nth}`
    const address = { protocol: 'http', host: `${label}.test`, port: 8000, credentials: null } as const
    return { address, region, weight: 1, label, toJSON: () => label }
  })

interface Event {
  readonly atMs: number
  readonly run: () => void
}

/** One host behind a limiter, and the proxies in front of it, in simulated time without a promise: 2,000 URLs in some 20 ms. */
export function drive({ specs, weather, urls, perSecond, untilMs, seed, policy = adaptive }: DriveOptions): Drive {
  let nowMs = 0
  const random = createRandom(seed)
  const clock: Clock = {
    nowMs: () => nowMs,
    wallIso: () => '',
    after: () => ({ [Symbol.dispose]() {} }),
    sleep: () => Promise.resolve(),
  }
  const pool = createProxyPool({
    env: { clock, random },
    events: createEvents('drive'),
    rules: {
      connection: 'fresh',
      rotation: 'weighted',
      perProxy: 10_000,
      regions: [],
      geo: null,
      session: { maxUses: 50, maxAgeMs: 1e9, maxBlocks: 3 },
    },
    specs,
    budgetMs: 20_000,
    retries: rules.proxy,
    parkMs: rules.totalWaitMs,
    onReturned: () => {},
  })
  const limiter = createLimiter(policy, random)
  const heap = createEventHeap<Event>()
  const queue: Task[] = []
  const cameAtMs = new Map<string, number>()
  const attempts: Attempt[] = []
  const times: { cameAtMs: number; tookMs: number }[] = []
  const limits = [{ atMs: 0, limit: limiter.limit }]
  const counts = { done: 0, dead: 0 }
  let inFlight = 0
  let wakeAtMs = Number.POSITIVE_INFINITY

  const outcomeOf = (task: Task, trouble: ReturnType<Weather>, serviceMs: number): Outcome => {
    if (trouble === null) {
      const timing = { connectMs, firstByteMs: serviceMs, totalMs: connectMs + serviceMs }
      const page = { task, status: 200, headers: {}, body: new Uint8Array(0), timing, reach: 'any' } as const
      return { kind: 'page', page }
    }
    const fault = faultOf('PROXY_FAILED', trouble.failure)
    return { kind: 'failed', fault, status: null, timing: null, retryAfterMs: null, proxyFailure: trouble.failure }
  }

  function settle(task: Task, lease: ProxyLease, startedMs: number, among: number, fetched: Outcome): void {
    const { outcome, isFree } = lease.settle(fetched)
    inFlight -= 1
    limiter.observe({ ...readingOf(outcome, false), nowMs, startedMs, inFlight: among })
    if (limits.at(-1)?.limit !== limiter.limit) limits.push({ atMs: nowMs, limit: limiter.limit })
    const { label = '', region = '' } = lease.route ?? {}
    const isFault = outcome.kind === 'failed'
    attempts.push({ url: Number(task.page), label, region, atMs: startedMs, endedAtMs: nowMs, isFault })
    if (outcome.kind === 'page') {
      counts.done += 1
      const came = cameAtMs.get(task.id) ?? 0
      times.push({ cameAtMs: came, tookMs: nowMs - came })
      return
    }
    const fate = isFree
      ? ({ kind: 'retry', notBeforeMs: nowMs, charge: 'none' } as const)
      : fateOf(task, outcome, rules, nowMs, random)
    if (fate.kind === 'dead') counts.dead += 1
    else
      heap.push({
        atMs: Math.max(nowMs, fate.kind === 'retry' ? fate.notBeforeMs : 0),
        run: () => queue.unshift(withCharge(task, fate, nowMs)),
      })
  }

  const forgetWake = (): void => {
    wakeAtMs = Number.POSITIVE_INFINITY
  }

  function admit(): void {
    for (;;) {
      const [task] = queue
      if (task === undefined || inFlight >= limiter.limit) return
      const readyMs = pool.readyForMs(task)
      if (readyMs > nowMs) {
        if (readyMs < wakeAtMs && readyMs < Number.POSITIVE_INFINITY) {
          wakeAtMs = readyMs
          heap.push({ atMs: readyMs, run: forgetWake })
        }
        return
      }
      queue.shift()
      const lease = pool.acquire(task)
      const trouble = weather(lease.route?.region ?? '', lease.route?.label ?? '', nowMs)
      const serviceMs = -meanServiceMs * Math.log(1 - random())
      inFlight += 1
      const startedMs = nowMs
      const among = inFlight
      heap.push({
        atMs: nowMs + (trouble?.afterMs ?? connectMs + serviceMs),
        run: () => settle(task, lease, startedMs, among, outcomeOf(task, trouble, serviceMs)),
      })
    }
  }

  for (let nth = 0; nth < urls; nth += 1) {
    const task = newTask(`u${nth}`, new URL(`http://a.test/${nth}`), String(nth))
    const atMs = (nth * 1_000) / perSecond
    cameAtMs.set(task.id, atMs)
    heap.push({ atMs, run: () => queue.push(task) })
  }
  for (let event = heap.pop(); event !== null && event.atMs <= untilMs; event = heap.pop()) {
    nowMs = event.atMs
    event.run()
    admit()
  }
  return { attempts, ...counts, times, limits, pool }
}
