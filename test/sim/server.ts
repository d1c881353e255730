import type { Clock } from '../../src/core/clock.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { HostModel, SimPage } from './host-model.ts'
import { drawLatencyMs } from './latency.ts'

export type Answer =
  | { readonly kind: 'page'; readonly page: SimPage; readonly retryAfterMs?: number | null }
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'throttled'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly code: ErrorCode }

/** The server of one host: a few workers behind a bounded queue, and whatever goes wrong with them. */
export interface SimServer {
  /** Calls `reply` once, with the first byte; never when silent, or once disposed: the client has hung up. */
  ask(url: URL, reply: (answer: Answer) => void): Disposable
}

interface Visit {
  readonly reply: (answer: Answer) => void
  answer: Answer
  isWaiting: boolean
  hasLeft: boolean
}

/** A refusal costs a server nearly nothing, which is why it comes faster than any page. */
const refusalMs = 1
const notFound: SimPage = { status: 404, contentType: 'text/plain', body: 'not found' }
const statusOfCode: Partial<Record<ErrorCode, number>> = { HTTP_STATUS: 404, THROTTLED: 429, SERVER_ERROR: 500 }
const failingAtOnce: readonly ErrorCode[] = ['DNS_FAILED', 'CONNECT_FAILED', 'TLS_FAILED']
const neverAnswering: readonly ErrorCode[] = ['CONNECT_TIMEOUT', 'RESPONSE_TIMEOUT']

/** No request reaches a server that has no address or takes no connection. */
const isNoWork = (answer: Answer): boolean => answer.kind === 'failed' && failingAtOnce.includes(answer.code)

function statusAnswer(status: number, retryAfterMs: number | null): Answer {
  if (status === 429 || status === 503) return { kind: 'throttled', status, retryAfterMs }
  return { kind: 'page', page: { status, contentType: 'text/plain', body: `status ${status}` }, retryAfterMs }
}

function codeAnswer(code: ErrorCode): Answer {
  const status = statusOfCode[code]
  return status === undefined ? { kind: 'failed', code } : statusAnswer(status, null)
}

function contentOf(model: HostModel, url: URL): Answer {
  const location = model.redirect?.(url) ?? null
  if (location !== null) return { kind: 'moved', location }
  if (url.pathname === '/robots.txt') {
    const page = model.robots === undefined ? notFound : { status: 200, contentType: 'text/plain', body: model.robots }
    return { kind: 'page', page }
  }
  const page = model.page === undefined ? '<!doctype html><title>empty</title>' : (model.page(url) ?? notFound)
  return {
    kind: 'page',
    page: typeof page === 'string' ? { status: 200, contentType: 'text/html; charset=utf-8', body: page } : page,
  }
}

export function createServer(model: HostModel, clock: Clock, random: () => number): SimServer {
  const waiting: Visit[] = []
  const recentAtMs: number[] = []
  let working = 0
  let bannedUntilMs = 0

  function send({ hasLeft, reply, answer }: Visit): void {
    if (!hasLeft) reply(answer)
  }

  /** The work goes on to its end where the client has hung up meanwhile, as it does in most servers. */
  function work(visit: Visit): void {
    working += 1
    clock.after(drawLatencyMs(model.latency ?? { kind: 'constant', ms: 50 }, random), () => {
      working -= 1
      const next = waiting.shift()
      if (next !== undefined) {
        next.isWaiting = false
        work(next)
      }
      send(visit)
    })
  }

  function isBanned(nowMs: number): boolean {
    if (model.ban === undefined) return false
    if (nowMs < bannedUntilMs) return true
    const { requests, withinMs, forMs } = model.ban
    recentAtMs.push(nowMs)
    while ((recentAtMs[0] ?? nowMs) <= nowMs - withinMs) recentAtMs.shift()
    if (recentAtMs.length <= requests) return false
    recentAtMs.length = 0
    bannedUntilMs = nowMs + forMs
    return true
  }

  function drawFailure(): ErrorCode | null {
    const chances = Object.entries(model.failures ?? {}) as [ErrorCode, number][]
    if (chances.length === 0) return null
    let left = random()
    for (const [code, chance] of chances) {
      if (left < chance) return code
      left -= chance
    }
    return null
  }

  /** What is said before anybody works on it; `silence` is no answer at all, null is none yet. */
  function refusalOf(nowMs: number): Answer | 'silence' | null {
    const outage = model.outages?.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
    if (outage?.as === 'silent') return 'silence'
    if (outage?.as === 'refused') return { kind: 'failed', code: 'CONNECT_FAILED' }
    if (outage?.as === 'unavailable') return statusAnswer(outage.status ?? 503, outage.retryAfterMs ?? null)
    if (model.ban !== undefined && isBanned(nowMs))
      return statusAnswer(model.ban.status, model.ban.retryAfterMs ?? null)
    return null
  }

  function answerOf(url: URL): Answer | 'silence' {
    const code = drawFailure()
    if (code === null) return contentOf(model, url)
    return neverAnswering.includes(code) ? 'silence' : codeAnswer(code)
  }

  function receive(visit: Visit, needsWork: boolean): void {
    const { workers, queue, retryAfterMs = null } = model.capacity ?? { workers: Number.POSITIVE_INFINITY, queue: 0 }
    if (needsWork && working < workers) {
      work(visit)
    } else if (needsWork && waiting.length < queue) {
      visit.isWaiting = true
      waiting.push(visit)
    } else {
      if (needsWork) visit.answer = statusAnswer(429, retryAfterMs)
      clock.after(refusalMs, () => send(visit))
    }
  }

  return {
    ask(url, reply) {
      const refusal = refusalOf(clock.nowMs())
      const answer = refusal ?? answerOf(url)
      if (answer === 'silence') return { [Symbol.dispose]() {} }
      const visit: Visit = { reply, answer, isWaiting: false, hasLeft: false }
      receive(visit, refusal === null && !isNoWork(answer))
      return {
        [Symbol.dispose]() {
          visit.hasLeft = true
          if (visit.isWaiting) waiting.splice(waiting.indexOf(visit), 1)
        },
      }
    },
  }
}
