import { errorTraits, type Fault } from './errors.ts'
import type { Page, Timing } from './page.ts'
import type { ProxyFailure } from './route.ts'
import type { Reach } from './task.ts'

/** How one attempt ended. Decided once, in `fetch/classify.ts`; everybody else reads this and no status code. */
export type Outcome =
  | { readonly kind: 'page'; readonly page: Page }
  /** The host asked to wait (429, or 503): costs no attempt. */
  | {
      readonly kind: 'throttled'
      readonly status: number
      readonly retryAfterMs: number | null
      readonly timing: Timing
    }
  /** Answered, and asking again is pointless. */
  | { readonly kind: 'gone'; readonly status: number; readonly timing: Timing }
  /** A redirect: becomes a task that passes the gates again. `url` is absolute and sendable. */
  | {
      readonly kind: 'moved'
      readonly status: number
      readonly url: string
      readonly reach: Reach
      readonly timing: Timing
    }
  | {
      readonly kind: 'failed'
      readonly fault: Fault
      readonly status: number | null
      readonly timing: Timing | null
      /** From a Retry-After on a server error: with one that asks to wait, it costs no attempt either. */
      readonly retryAfterMs: number | null
      /** With PROXY_FAILED: what the proxy did. */
      readonly proxyFailure?: ProxyFailure
    }

/**
 * What a limiter may learn. Only `refused` and `timeout` cut. `error` neither cuts nor grows: errors are often
 * faster than answers. `ignored` teaches nothing: aborts, faults of a proxy, faults of our own.
 */
export type Verdict = 'good' | 'refused' | 'timeout' | 'error' | 'ignored'

/** One attempt as the host's gate sees it. */
export interface Reading {
  readonly verdict: Verdict
  /** Null when no byte came. */
  readonly firstByteMs: number | null
  readonly retryAfterMs: number | null
  /** Our own event loop was blocked at some time in the attempt's life: its times say nothing about the host. */
  readonly stalled: boolean
  /**
   * The answer says "not you" (403), which is final for its URL, or "too much of you" (429): where there are more of them
   * than usual, a block. Not a 503, which a host says to everybody. With `ignored`: a block that the way is blamed for,
   * which counts in block rates alone.
   */
  readonly blocked?: boolean
  /** Answered, and with no page (404, 403): often sooner than with one, so that nothing of its pace holds for pages. */
  readonly pageless?: boolean
  /** The way that the request took: the key of a proxy or of its region. Left out, or empty: directly. */
  readonly route?: string
}

export function verdictOf(outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case 'page':
    case 'gone':
    case 'moved':
      return 'good'
    case 'throttled':
      return 'refused'
    case 'failed': {
      const { code } = outcome.fault
      // Of the way to the host, or of one that it refuses while it answers others.
      if (errorTraits[code].retry === 'elsewhere') return 'ignored'
      // Nobody was asked.
      if (code === 'ADDRESS_REFUSED') return 'ignored'
      if (code === 'RESPONSE_TIMEOUT' || code === 'CONNECT_TIMEOUT') return 'timeout'
      // A page too large or of the wrong type is still an answer of a healthy host.
      if (errorTraits[code].blame === 'content') return 'good'
      return errorTraits[code].blame === 'host' ? 'error' : 'ignored'
    }
    default:
      return outcome satisfies never
  }
}

/** It was stopped while it was under way: nothing came of it, and it will be tried again. */
export const isStopped = (outcome: Outcome): boolean => outcome.kind === 'failed' && outcome.fault.code === 'ABORTED'

export const timingOf = (outcome: Outcome): Timing | null =>
  outcome.kind === 'page' ? outcome.page.timing : outcome.timing

/** By itself, or because the region that it came by is blamed for it. */
export function isBlock(outcome: Outcome): boolean {
  if (outcome.kind === 'gone') return outcome.status === 403
  if (outcome.kind === 'throttled') return outcome.status === 429
  return outcome.kind === 'failed' && outcome.fault.code === 'BLOCKED'
}

/** @param route the way that the request took; empty: directly */
export function readingOf(outcome: Outcome, stalled: boolean, route = ''): Reading {
  const retryAfterMs = outcome.kind === 'throttled' || outcome.kind === 'failed' ? outcome.retryAfterMs : null
  return {
    verdict: verdictOf(outcome),
    firstByteMs: timingOf(outcome)?.firstByteMs ?? null,
    retryAfterMs,
    stalled,
    ...(outcome.kind === 'gone' && { pageless: true }),
    ...(isBlock(outcome) && { blocked: true }),
    ...(route !== '' && { route }),
  }
}
