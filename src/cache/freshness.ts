import { httpDateMs } from '../pace/retry-after.ts'
import { directivesOf, secondsOf } from './cache-control.ts'

type Headers = Readonly<Record<string, string>>

/** All in milliseconds of wall time. */
export interface Span {
  readonly askedAtMs: number
  readonly cameAtMs: number
}

/** How long after it was made an answer may be used unasked: `max-age`, or `Expires` without it, of a private cache. */
function lifetimeMs(headers: Headers, dateMs: number): number {
  const directives = directivesOf(headers['cache-control'])
  if (directives.has('no-cache')) return 0
  const seconds = secondsOf(directives, 'max-age')
  if (seconds !== null) return seconds * 1_000
  const { expires } = headers
  return expires === undefined ? 0 : Math.max(0, (httpDateMs(expires, dateMs) ?? dateMs) - dateMs)
}

/**
 * Until when an answer is fresh, by wall time: RFC 9111, 4.2.
 *
 *     freshUntil = came + lifetime - age
 *     age        = max(came - Date, Age + (came - asked))
 *
 * A lifetime that nobody stated is 0. The RFC allows a guess (a tenth of the time since Last-Modified, as browsers do);
 * for those who look for changes a page that silently stays old for weeks is worse than a question that costs a 304.
 */
export function freshUntilMs(headers: Headers, { askedAtMs, cameAtMs }: Span): number {
  const dateMs = httpDateMs(headers.date ?? '', cameAtMs) ?? cameAtMs
  const [ageSeconds = '0'] = /^\d+/.exec(headers.age ?? '') ?? []
  const apparentMs = Math.max(0, cameAtMs - dateMs)
  const toldMs = Number(ageSeconds) * 1_000 + Math.max(0, cameAtMs - askedAtMs)
  return cameAtMs + lifetimeMs(headers, dateMs) - Math.max(apparentMs, toldMs)
}
