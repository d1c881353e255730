import type { Head } from './ending.ts'

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
  readonly refuseBinary: boolean
}

/** A new connection costs about as much as reading this much of an error page. */
export const drainBytes = 2 ** 16

/**
 * Types that no page has. Gzip is not among them: sitemaps come as `application/gzip`, and the worker looks at the
 * bytes. Images in SVG are text.
 */
const binary = new RegExp(
  `^(?:${[
    'image/(?!svg)',
    'audio/',
    'video/',
    'font/',
    'model/',
    'application/(?:(?:octet-stream|pdf|zip|wasm|msword|rtf|java-archive|vnd\\.rar|x-bzip2?|x-tar|epub\\+zip)$|x-(?:7z|rar|zip)-compressed$|x-(?:shockwave-flash|msdownload|msdos-program|executable|apple-diskimage|debian-package|rpm|iso9660-image|bittorrent|font-.*)$|font-.*$|vnd\\.(?:ms-|openxmlformats-|oasis\\.opendocument\\.|android\\.package-archive))',
  ].join('|')})`,
)

/** The type without its parameters; the first of several. */
const mediaType = (contentType: string): string => (/^[^;,\s]*/.exec(contentType.trim())?.[0] ?? '').toLowerCase()

export const isBinary = (contentType: string): boolean => binary.test(mediaType(contentType))

function declaredOf(headers: Head['headers']): number | null {
  const text = headers['content-length']
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}

export function bodyPlanOf({ status, headers }: Head, rules: BodyRules): BodyPlan {
  const declaredBytes = declaredOf(headers)
  if (status < 200 || status > 299) return { kind: (declaredBytes ?? 0) > drainBytes ? 'close' : 'drain' }
  if (status === 204) return { kind: 'read', declaredBytes: null }
  const contentType = headers['content-type'] ?? ''
  if (rules.refuseBinary && isBinary(contentType))
    return { kind: 'refuse', code: 'CONTENT_TYPE', detail: `${mediaType(contentType)} is no type of a page` }
  if (declaredBytes !== null && declaredBytes > rules.bodyBytes)
    return { kind: 'refuse', code: 'BODY_TOO_LARGE', detail: `${declaredBytes} bytes declared` }
  return { kind: 'read', declaredBytes }
}
