import { isUtf8 } from 'node:buffer'
import { type ErrorCode, faultOf } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Reach, Task } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { Timeouts } from '../job/job.ts'
import { retryAfterMs } from '../pace/retry-after.ts'
import type { AddressKind } from './address.ts'
import { drainMs, type Limit } from './deadline.ts'
import type { Broken, Ending, Progress } from './ending.ts'
import { brokenCodeOf, reasonOf } from './error-code.ts'
import { declinedStatus } from './h2/stream-error.ts'

/** What an attempt's fetcher knows beside its ending. */
export interface Circumstances {
  readonly task: Task
  readonly timeouts: Timeouts
  readonly bodyBytes: number
  /** Milliseconds since 1970: a Retry-After may be a date, and the answer without one of its own. */
  readonly wallNowMs: () => number
  /** The request named a range of bytes (a header of the job). Default: false. */
  readonly isPartAsked?: boolean
}

type Failed = Extract<Outcome, { kind: 'failed' }>
type Answered = Extract<Ending, { kind: 'answered' }>

/** Pages of one's own network may lead anywhere in it, but not for somebody whom a stranger sent there. */
const reachFrom = ({ reach }: Task, from: AddressKind): Reach =>
  reach === 'any' && from === 'private' ? 'any' : 'public'

/** For messages: they end up in files and logs. */
function shownUrl(url: string): string {
  const parsed = url.includes('@') ? URL.parse(url) : null
  if (parsed === null) return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

function failed(task: Task, code: ErrorCode, text: string, progress: Partial<Progress>): Failed {
  const { head = null, timing = null } = progress
  const fault = faultOf(code, `${shownUrl(task.url)}: ${text}`)
  return { kind: 'failed', fault, status: head?.status ?? null, timing, retryAfterMs: null }
}

/**
 * The bytes of a Location as text. A header is Latin-1 by the book, yet what servers put into it raw is the path as
 * they know it: UTF-8 where that fits, and else bytes that only mean something to them, which go back as they came.
 */
function locationText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return header.replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

const redirects = new Set([301, 302, 303, 307, 308])

function redirected({ task }: Circumstances, { head, timing, from }: Answered): Outcome {
  const reach = reachFrom(task, from)
  const text = locationText(head.headers.location ?? '').trim()
  const invalid = (why: string): Outcome => failed(task, 'REDIRECT_INVALID', why, { head, timing })
  if (text === '') return invalid(`redirect (${head.status}) without a Location`)
  const url = sendableUrl(text, task.url)
  if (url !== null) return { kind: 'moved', status: head.status, url: url.href, reach, timing }
  const scheme = URL.parse(text, task.url)?.protocol
  if (scheme === undefined) return invalid(`redirect (${head.status}) to a Location that is no URL`)
  return invalid(`redirect (${head.status}) to the scheme ${scheme} is not followed; accepted: http:, https:`)
}

/** RFC 9110, 14.4. Without the header, or where it tells no total, nobody knows what is missing. */
function isPart({ status, headers }: Answered['head']): boolean {
  const [, first, last, total] = /^\s*bytes\s+(\d+)-(\d+)\/(\d+)/i.exec(headers['content-range'] ?? '') ?? []
  return status === 206 && first !== undefined && (Number(first) > 0 || Number(last) + 1 < Number(total))
}

function answered(about: Circumstances, ending: Answered): Outcome {
  const { head, timing, body, from } = ending
  const { status, headers } = head
  const waitMs = (): number | null => {
    const value = headers['retry-after']
    return value === undefined ? null : retryAfterMs(value, about.wallNowMs(), headers)
  }
  const { task } = about
  // Caches between make them of a download that broke off: half a page must not pass for one.
  if (isPart(head) && about.isPartAsked !== true)
    return failed(task, 'RESPONSE_TRUNCATED', `a part that nobody asked for: ${headers['content-range']}`, {
      head,
      timing,
    })
  if (status >= 200 && status < 300)
    return { kind: 'page', page: { task, status, headers, body, timing, reach: reachFrom(task, from) } }
  if (status === 429 || status === 503) return { kind: 'throttled', status, retryAfterMs: waitMs(), timing }
  if (redirects.has(status)) return redirected(about, ending)
  if (status >= 500 && status < 600)
    return { ...failed(task, 'SERVER_ERROR', `status ${status}`, { head, timing }), retryAfterMs: waitMs() }
  // 304 answers a condition we did not set, 300 leaves the choice to a human.
  if (status < 400) return failed(task, 'HTTP_STATUS', `unexpected status ${status}`, { head, timing })
  return { kind: 'gone', status, timing }
}

function expiredText(limit: Limit, timeouts: Timeouts, { bodyBytes }: Progress): string {
  const soFar = `after ${bodyBytes} bytes of the body`
  switch (limit) {
    case 'connectMs':
      return `no connection within timeouts.connectMs (${timeouts.connectMs})`
    case 'firstByteMs':
      return `no answer within timeouts.firstByteMs (${timeouts.firstByteMs})`
    case 'idleMs':
      return `nothing came for timeouts.idleMs (${timeouts.idleMs}), ${soFar}`
    case 'totalMs':
      return `timeouts.totalMs (${timeouts.totalMs}) were used up, ${soFar}`
    case 'minBytesPerSecond':
      return `slower than timeouts.minBytesPerSecond (${timeouts.minBytesPerSecond}), ${soFar}`
    case 'drainMs':
      return `the rest of the answer took longer than ${drainMs} ms`
    default:
      return limit satisfies never
  }
}

function cutOff({ task, timeouts }: Circumstances, { cut, progress }: Extract<Ending, { kind: 'cut' }>): Outcome {
  if (cut.kind === 'aborted') return failed(task, 'ABORTED', 'stopped while under way', progress)
  const code = cut.limit === 'connectMs' ? 'CONNECT_TIMEOUT' : 'RESPONSE_TIMEOUT'
  return failed(task, code, expiredText(cut.limit, timeouts, progress), progress)
}

function barred({ task }: Circumstances, addresses: readonly string[]): Outcome {
  const where = addresses.join(', ').slice(0, 300)
  const way = `where it is meant, give hosts[${JSON.stringify(task.host)}].allowPrivate`
  return failed(
    task,
    'ADDRESS_REFUSED',
    `found on the public web, it leads to ${where}, which is not public; ${way}`,
    {},
  )
}

function brokenOff({ task }: Circumstances, broken: Broken): Outcome {
  const { progress } = broken
  const status = declinedStatus(broken.error)
  if (status !== null && progress.timing !== null)
    return { kind: 'throttled', status, retryAfterMs: null, timing: progress.timing }
  const code = brokenCodeOf(broken)
  const declared = progress.head?.headers['content-length']
  const of = declared === undefined ? '' : ` of ${declared}`
  const text =
    code === 'RESPONSE_TRUNCATED'
      ? `the answer ended after ${progress.bodyBytes}${of} bytes of its body`
      : reasonOf(broken.error)
  return failed(task, code, text, progress)
}

/**
 * What the ending of an attempt means: the one place that looks at a status code or at an error of the network.
 * Limiter, retry rule and ledger read the outcome.
 */
export function classify(ending: Ending, about: Circumstances): Outcome {
  switch (ending.kind) {
    case 'answered':
      return answered(about, ending)
    case 'refused': {
      const bound = ending.code === 'BODY_TOO_LARGE' ? `; limits.bodyBytes is ${about.bodyBytes}` : ''
      return failed(about.task, ending.code, `${ending.detail}${bound}`, ending)
    }
    case 'barred':
      return barred(about, ending.addresses)
    case 'cut':
      return cutOff(about, ending)
    case 'broken':
      return brokenOff(about, ending)
    case 'proxy-failed': {
      const { status, failure: proxyFailure, label, detail } = ending
      return { ...failed(about.task, 'PROXY_FAILED', `${label}: ${detail}`, {}), status, proxyFailure }
    }
    default:
      return ending satisfies never
  }
}
