import type { ErrorCode } from '../../src/core/errors.ts'
import type { LatencyLaw } from './latency.ts'

/** How a simulated host behaves. What is left out does not happen. */
export interface HostModel {
  /** Of the server's work alone: waiting for a worker comes on top. 50 ms where left out. */
  readonly latency?: LatencyLaw
  /** Before the request is written. */
  readonly connectMs?: number
  /** Of the body; at once where left out. */
  readonly bytesPerSecond?: number
  /** `workers` requests at a time, `queue` more may wait, any further one is refused with 429. */
  readonly capacity?: { readonly workers: number; readonly queue: number; readonly retryAfterMs?: number }
  /** More than `requests` within `withinMs`, and everything is answered with `status` for `forMs`. */
  readonly ban?: {
    readonly requests: number
    readonly withinMs: number
    readonly forMs: number
    readonly status: number
    readonly retryAfterMs?: number
  }
  readonly outages?: readonly Outage[]
  /** Chance of each code, per request. HTTP_STATUS is a 404, THROTTLED a 429, SERVER_ERROR a 500. */
  readonly failures?: Partial<Readonly<Record<ErrorCode, number>>>
  /** Where a URL leads; null: nowhere else. */
  readonly redirect?: (url: URL) => string | null
  /** HTML, a whole answer, or null for a 404. A page with nothing in it where left out. */
  readonly page?: (url: URL) => string | SimPage | null
  /** Text of /robots.txt; a 404 where left out. */
  readonly robots?: string
}

export interface Outage {
  readonly fromMs: number
  readonly toMs: number
  /** Connections refused, requests never answered, or everything answered with `status`. */
  readonly as: 'refused' | 'silent' | 'unavailable'
  /** 503 where left out. */
  readonly status?: number
  /** Sent with each of the answers. */
  readonly retryAfterMs?: number
}

export interface SimPage {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** An HTML page with a title and links, as a `page` function gives it. */
export const htmlOf = (title: string, links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1>${links.map(link => `<a href="${link}">${link}</a>`).join('\n')}`
