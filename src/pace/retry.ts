import { errorTraits, type Fault, faultOf, MillraceError } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Attempts, Task } from '../core/task.ts'
import { type BackoffOptions, backoffMs } from './backoff.ts'

/** How much each ledger of a task may spend. */
export interface RetryRules {
  /** Attempts after the first that count against the page or its host. */
  readonly url: number
  /** Attempts that count against a proxy. */
  readonly proxy: number
  /** Waiting that the host asked for, in all. */
  readonly totalWaitMs: number
}

type Charge = Extract<Fate, { readonly kind: 'retry' }>['charge']
type Ended = Exclude<Outcome, { readonly kind: 'page' | 'moved' }>

/** A page that failed is not asked again at once: what ailed its host a moment ago still does. */
const urlBackoff: BackoffOptions = { shortestMs: 1_000, longestMs: 60_000 }
/** The lane of the host pauses by itself; this keeps one URL from being the probe each time. */
const waitBackoff: BackoffOptions = { shortestMs: 1_000, longestMs: 30_000 }
/** Another proxy is another way: the first time at once, then with some care, as all of them may be down. */
const proxyBackoff: BackoffOptions = { shortestMs: 250, longestMs: 10_000 }

const retry = (notBeforeMs: number, charge: Charge): Fate => ({ kind: 'retry', notBeforeMs, charge })
const dead = (fault: Fault, status: number | null): Fate => ({ kind: 'dead', fault, status })
const seconds = (durationMs: number): string => `${Math.round(durationMs / 100) / 10} s`

/** How long to wait after an answer that asks for it: neither less than the host said nor than the back-off of this URL. */
export const askedWaitMs = ({ attempts }: Task, askedMs: number, random: () => number): number =>
  Math.max(askedMs, backoffMs(attempts.waits + 1, waitBackoff, random))

/** An answer that asks to wait. */
interface Asking {
  /** What it was, for people. */
  readonly text: string
  readonly status: number | null
  readonly askedMs: number
}

function afterAsking(
  task: Task,
  { text, status, askedMs }: Asking,
  { totalWaitMs }: RetryRules,
  nowMs: number,
  random: () => number,
): Fate {
  const waitMs = askedWaitMs(task, askedMs, random)
  if (task.waitedMs + waitMs <= totalWaitMs) return retry(nowMs + waitMs, 'wait')
  const { attempts, waitedMs } = task
  const waited = `${text} again after ${attempts.waits} waits of ${seconds(waitedMs)} in all`
  const tooLong = `${seconds(waitMs)} more would be above retries.totalWaitMs (${totalWaitMs})`
  return dead(faultOf('THROTTLED', `${waited}; ${tooLong}`), status)
}

function afterFailure(
  task: Task,
  { fault, status, retryAfterMs }: Extract<Outcome, { readonly kind: 'failed' }>,
  rules: RetryRules,
  nowMs: number,
  random: () => number,
): Fate {
  const { attempts } = task
  if (fault.code === 'ABORTED') return retry(0, 'none')
  const askedMs = retryAfterMs ?? 0
  const way = errorTraits[fault.code].retry
  switch (way) {
    case 'never':
    // Of pages that came; what becomes of those is not said here.
    case 'once':
      return dead(fault, status)
    case 'later': {
      // Of a server error: "not now" is no word about the URL. Without a wait in it, it is a failure like others.
      if (askedMs > 0) return afterAsking(task, { text: fault.message, status, askedMs }, rules, nowMs, random)
      if (attempts.url >= rules.url) return dead(fault, status)
      return retry(nowMs + backoffMs(attempts.url + 1, urlBackoff, random), 'url')
    }
    case 'elsewhere': {
      if (attempts.proxy >= rules.proxy) return dead(fault, status)
      return retry(nowMs + (attempts.proxy === 0 ? 0 : backoffMs(attempts.proxy, proxyBackoff, random)), 'proxy')
    }
    default:
      return way satisfies never
  }
}

/**
 * What becomes of a task after an attempt that brought no page: which of its three ledgers pays, when it may go again,
 * or why it ends. Charges nothing itself: see `withCharge`.
 *
 * @throws INVARIANT for `page` and `moved`, whose fate is the crawl's to say
 */
export function fateOf(task: Task, outcome: Outcome, rules: RetryRules, nowMs: number, random: () => number): Fate {
  if (outcome.kind === 'page' || outcome.kind === 'moved')
    throw new MillraceError('INVARIANT', `the fate of ${task.url} after "${outcome.kind}" is not decided by retries`)
  const ended: Ended = outcome
  switch (ended.kind) {
    case 'throttled': {
      const { status, retryAfterMs } = ended
      const text = `${task.url} answered ${status}`
      return afterAsking(task, { text, status, askedMs: retryAfterMs ?? 0 }, rules, nowMs, random)
    }
    case 'gone':
      return dead(faultOf('HTTP_STATUS', `${task.url} answered ${ended.status}`), ended.status)
    case 'failed':
      return afterFailure(task, ended, rules, nowMs, random)
    default:
      return ended satisfies never
  }
}

const paidBy: Readonly<Record<Charge, Partial<Record<keyof Attempts, 1>>>> = {
  url: { url: 1 },
  proxy: { proxy: 1 },
  wait: { waits: 1 },
  thread: {},
  none: {},
}

/** The task as it goes back to the frontier: its ledgers charged, and not before the time the fate names. */
export function withCharge(task: Task, fate: Fate, nowMs: number): Task {
  if (fate.kind !== 'retry') return task
  const { url = 0, proxy = 0, waits = 0 } = paidBy[fate.charge]
  const { attempts, threadDeaths = 0 } = task
  return {
    ...task,
    attempts: { url: attempts.url + url, proxy: attempts.proxy + proxy, waits: attempts.waits + waits },
    waitedMs: task.waitedMs + (fate.charge === 'wait' ? fate.notBeforeMs - nowMs : 0),
    ...(fate.charge === 'thread' && { threadDeaths: threadDeaths + 1 }),
    notBeforeMs: fate.notBeforeMs,
    ...(fate.cause !== undefined && { cause: fate.cause }),
  }
}
