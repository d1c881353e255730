import { messageOf } from '../core/errors.ts'
/** What came of one request of a webhook. */
export type Sent =
  | { readonly kind: 'taken' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null }
  /** Asking again is pointless. */
  | { readonly kind: 'refused'; readonly reason: string }

/** A server that says nothing for longer has lost the request. */
const timeoutMs = 30_000

/** Not yet, or not now; what else is not 2xx is final. */
const passing = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429

/** Only the usual form, in seconds: a date is as good as none. */
function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3_600) * 1000 : null
}

export async function sendBatch(url: string, request: RequestInit): Promise<Sent> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal == null ? timeout : AbortSignal.any([request.signal, timeout])
  try {
    const response = await fetch(url, { ...request, signal })
    await response.body?.cancel()
    if (response.ok) return { kind: 'taken' }
    const reason = `it answered ${response.status}`
    if (!passing(response.status)) return { kind: 'refused', reason }
    return { kind: 'failed', reason, retryAfterMs: retryAfterMs(response.headers) }
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
    return { kind: 'failed', reason: messageOf(cause), retryAfterMs: null }
  }
}
