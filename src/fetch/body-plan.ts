import type { Head } from './ending.ts'
import { mediaType } from './type-gate.ts'

/** What to do with a body, decided when its head is in. */
export type BodyPlan =
  | { readonly kind: 'read'; readonly declaredBytes: number | null }
  /** No page. Read the rest away, so that the connection can be used again, as long as that is small and quick. */
  | { readonly kind: 'drain' }
  /** Not worth reading away: close the connection. */
  | { readonly kind: 'close' }
  | { readonly kind: 'refuse'; readonly code: 'CONTENT_TYPE' | 'BODY_TOO_LARGE'; readonly detail: string }

export interface BodyRules {
  /** Cap of a body as sent. */
  readonly bodyBytes: number
  /** Beyond its cap a body is cut there, not refused. */
  readonly isCut: boolean
  readonly refusesType: (contentType: string) => boolean
}

/** A new connection costs about as much as reading this much of an error page. */
export const drainBytes = 2 ** 16

function declaredOf(headers: Head['headers']): number | null {
  const text = headers['content-length']?.trim()
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}

export function bodyPlanOf({ status, headers }: Head, rules: BodyRules): BodyPlan {
  const declaredBytes = declaredOf(headers)
  if (status < 200 || status > 299) return { kind: (declaredBytes ?? 0) > drainBytes ? 'close' : 'drain' }
  if (status === 204) return { kind: 'read', declaredBytes: null }
  const contentType = headers['content-type'] ?? ''
  if (rules.refusesType(contentType))
    return { kind: 'refuse', code: 'CONTENT_TYPE', detail: `${mediaType(contentType)} is no type that is wanted` }
  if (declaredBytes !== null && declaredBytes > rules.bodyBytes && !rules.isCut)
    return { kind: 'refuse', code: 'BODY_TOO_LARGE', detail: `${declaredBytes} bytes declared` }
  return { kind: 'read', declaredBytes }
}
