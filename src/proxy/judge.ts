import { errorTraits, faultOf } from '../core/errors.ts'
import { type Outcome, timingOf } from '../core/outcome.ts'
import type { ProxyFailure } from '../core/route.ts'
import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { Complaint } from './blame.ts'

/** What one ending says of the way that the attempt took. */
export type Hint =
  | { readonly kind: 'fault'; readonly failure: ProxyFailure }
  /** The way worked; null: and the host had nothing to complain of. */
  | { readonly kind: 'answered'; readonly complaint: Complaint | null }
  /** Stopped, or never begun. */
  | { readonly kind: 'nothing' }

/**
 * A fault of the proxy is one by its code. What went wrong behind a proxy that did its part may be the host's fault or
 * that of the exit, which nothing in a single answer tells: it is a complaint, for statistics to put on somebody.
 */
export function hintOf(outcome: Outcome): Hint {
  switch (outcome.kind) {
    case 'page':
    case 'moved':
      return { kind: 'answered', complaint: null }
    case 'throttled':
      return { kind: 'answered', complaint: 'block' }
    case 'gone':
      return { kind: 'answered', complaint: outcome.status === 403 ? 'block' : null }
    case 'failed': {
      const { code } = outcome.fault
      if (code === 'PROXY_FAILED') return { kind: 'fault', failure: outcome.proxyFailure ?? 'connect' }
      const { blame } = errorTraits[code]
      // Of an address that we look up ourselves (SOCKS 5): its proxy was not asked.
      if (code === 'DNS_FAILED') return { kind: 'nothing' }
      if (code === 'ADDRESS_REFUSED' || (blame !== 'host' && blame !== 'content')) return { kind: 'nothing' }
      return { kind: 'answered', complaint: blame === 'host' ? 'trouble' : null }
    }
    default:
      return outcome satisfies never
  }
}

/** Its URL would not be asked for again: a 403, and a certificate that is none, which a gateway may have put there. */
export const isFinal = (outcome: Outcome): boolean =>
  outcome.kind === 'gone' || (outcome.kind === 'failed' && errorTraits[outcome.fault.code].retry === 'never')

const statusOf = (outcome: Outcome): number | null => (outcome.kind === 'page' ? outcome.page.status : outcome.status)

/** From the first step of its connection to the first byte; null: none came. */
export function latencyOf(outcome: Outcome): number | null {
  const timing = timingOf(outcome)
  return timing === null ? null : timing.connectMs + timing.firstByteMs
}

const failedAs = (code: 'BLOCKED' | 'PROXY_FAILED', task: Task, text: string, outcome: Outcome): Outcome => ({
  kind: 'failed',
  fault: faultOf(code, `${withoutCredentials(task.url)}: ${text}`),
  status: statusOf(outcome),
  timing: timingOf(outcome),
  retryAfterMs: null,
})

/** The host answers others: it is this region that it refuses. */
export const blockedOutcome = (task: Task, region: string, outcome: Outcome): Outcome =>
  failedAs('BLOCKED', task, `status ${statusOf(outcome)} by way of ${region}, and not by others`, outcome)

/** The same, where it is the region that does not get through. */
export const troubledOutcome = (task: Task, region: string, outcome: Outcome): Outcome => {
  const code = outcome.kind === 'failed' ? outcome.fault.code : outcome.kind
  return failedAs('PROXY_FAILED', task, `${code} by way of ${region}, and not by others`, outcome)
}

export const signOutcome = (task: Task, sign: string, outcome: Outcome): Outcome =>
  failedAs('BLOCKED', task, `the page has the block sign "${sign}"`, outcome)

export const lieOutcome = (task: Task, label: string, sign: string, outcome: Outcome): Outcome =>
  failedAs('PROXY_FAILED', task, `${label} answered with a page of its own, by its sign "${sign}"`, outcome)
