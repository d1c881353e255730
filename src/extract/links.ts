import { sendableUrl } from '../core/url.ts'

/** A link as it stands in the page. */
export interface FoundLink {
  readonly value: string
  readonly isNofollow: boolean
  /** The page rule that reads it; left out: the first that fits. */
  readonly page?: string
  /** Which entry of `followRules` it is of, where those differ in what they want. */
  readonly rule?: number
}

export interface ResolvedLinks {
  /** Absolute, without fragment, each once, in the order of the page. */
  readonly urls: readonly URL[]
  /** Of another kind than http(s), such as `mailto:` and `javascript:`. */
  readonly otherSchemes: number
  /** What no URL can be made of. */
  readonly invalid: number
  /** Of `urls`, those whose first link asks not to be followed (`rel=nofollow`). They are kept. */
  readonly nofollow: number
}

/** Attributes that lead to another page, the first one that an element has. */
export const linkAttributes: readonly string[] = ['href', 'src', 'action']

/**
 * As a browser resolves them (the URL standard): white space round a link and line breaks inside it do not count, an
 * empty link is the page itself, and one that makes no sense is skipped.
 */
export function resolveLinks(links: readonly FoundLink[], baseUrl: string): ResolvedLinks {
  const urls = new Map<string, URL>()
  const seen = new Set<string>()
  let [otherSchemes, invalid, nofollow] = [0, 0, 0]
  for (const { value, isNofollow } of links) {
    // Pages repeat their navigation; making a URL is the dear part.
    if (seen.has(value)) continue
    seen.add(value)
    const url = sendableUrl(value, baseUrl)
    if (url === null) {
      if (URL.canParse(value, baseUrl)) otherSchemes += 1
      else invalid += 1
    } else if (!urls.has(url.href)) {
      urls.set(url.href, url)
      if (isNofollow) nofollow += 1
    }
  }
  return { urls: [...urls.values()], otherSchemes, invalid, nofollow }
}

/**
 * The document's base URL by the HTML standard (2.4.1): the `href` of its first `<base>` that has one, itself relative to
 * the page, unless that is no URL or of a scheme that can hold no page.
 */
export function baseUrlOf(baseHref: string | null, pageUrl: string): string {
  const url = baseHref === null ? null : URL.parse(baseHref, pageUrl)
  return url === null || url.protocol === 'data:' || url.protocol === 'javascript:' ? pageUrl : url.href
}
