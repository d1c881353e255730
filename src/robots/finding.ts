import { errorTraits, type Fault, faultAt, faultOf } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Page } from '../core/page.ts'
import { type Reach, robotsFileBytes } from '../core/task.ts'
import { beginningOf } from '../decode/beginning.ts'
import { decodeContent } from '../decode/content-coding.ts'
import { parseRobots, type RobotsRules } from './rules.ts'

/** What the end of one attempt says of the robots file. */
export type Finding =
  | { readonly kind: 'rules'; readonly rules: RobotsRules }
  /** There is no such file: everything is allowed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'moved'; readonly url: string; readonly reach: Reach }
  /** The host asks to wait: "not now" says nothing of the file, and is obeyed as it is for a page. */
  | { readonly kind: 'wait'; readonly fault: Fault; readonly askedMs: number }
  /** The file may exist and could not be had: nothing is allowed, and asking again is worth while. */
  | { readonly kind: 'later'; readonly fault: Fault }
  /** The same, and asking again is pointless. */
  | { readonly kind: 'unreadable'; readonly fault: Fault }
  /** The attempt was cut short by ourselves. */
  | { readonly kind: 'nothing' }

/** Decoding runs on the main thread: some milliseconds, whatever the body claims to be. */
const decodedBytes = 4 * robotsFileBytes

const lineFeed = 10
const carriageReturn = 13

/** Whole lines only: `Disallow: /private` cut behind its slash would close the site. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const head = bytes.subarray(0, robotsFileBytes)
  return head.subarray(0, Math.max(head.lastIndexOf(lineFeed), head.lastIndexOf(carriageReturn)) + 1)
}

/** UTF-8 by the RFC; a byte order mark tells of editors that save UTF-16. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function readPage({ body, headers }: Page, token: string | null, place: string): Finding {
  const coding = headers['content-encoding'] ?? ''
  const rulesOf = (bytes: Uint8Array): Finding => ({ kind: 'rules', rules: parseRobots(textOf(bytes), token) })
  const decoded = decodeContent(body, coding, decodedBytes)
  if (decoded.kind === 'decoded')
    return rulesOf(decoded.bytes.byteLength > robotsFileBytes ? wholeLines(decoded.bytes) : decoded.bytes)
  // A file that is too long, and may have been cut for that: what can be had of it counts.
  const isLong = body.byteLength > robotsFileBytes || decoded.fault.code === 'BODY_TOO_LARGE'
  const beginning = isLong ? beginningOf(body, coding, robotsFileBytes) : null
  return beginning === null
    ? { kind: 'unreadable', fault: faultAt(place, decoded.fault) }
    : rulesOf(wholeLines(beginning))
}

function waitFor(status: number, askedMs: number, place: string): Finding {
  const fault = faultOf('THROTTLED', `${place}: the robots file was answered with status ${status}`)
  return { kind: 'wait', fault, askedMs }
}

/**
 * RFC 9309, 2.3.1: read what was answered (2.3.1.1); follow redirects (2.3.1.2); "unavailable", a 4xx, means that any
 * page may be asked for (2.3.1.3); "unreachable", a 5xx or a failing network, means that none may (2.3.1.4).
 * A 429 is a host in trouble rather than one without the file, and is taken as unreachable, as large crawlers do: like a
 * 503, and any other 5xx that says for how long, it asks to wait.
 * @param place the file, as faults name it
 */
export function findingOf(outcome: Outcome, token: string | null, place: string): Finding {
  switch (outcome.kind) {
    case 'page':
      return readPage(outcome.page, token, place)
    case 'gone':
      return { kind: 'none' }
    case 'moved':
      return { kind: 'moved', url: outcome.url, reach: outcome.reach }
    case 'throttled':
      return waitFor(outcome.status, outcome.retryAfterMs ?? 0, place)
    case 'failed': {
      const { fault, status, retryAfterMs } = outcome
      if (fault.code === 'ABORTED') return { kind: 'nothing' }
      if (status !== null && retryAfterMs !== null && retryAfterMs > 0) return waitFor(status, retryAfterMs, place)
      // An answer that leads nowhere is no file, as with a 4xx.
      if (fault.code === 'REDIRECT_INVALID' || fault.code === 'HTTP_STATUS') return { kind: 'none' }
      return { kind: errorTraits[fault.code].retry === 'never' ? 'unreadable' : 'later', fault }
    }
    default:
      return outcome satisfies never
  }
}
