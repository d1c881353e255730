declare const hostKeyBrand: unique symbol
/** Lower-case host with a non-default port. Made only by `hostKey`; names the lane of a host. */
export type HostKey = string & { readonly [hostKeyBrand]: true }

export function hostKey(url: URL): HostKey {
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname
  return (url.port === '' ? host : `${host}:${url.port}`) as HostKey
}

const unreserved = /^[A-Za-z0-9\-._~]$/

/** Escapes that need none are undone and the others get upper-case digits (RFC 3986, 6.2.2), so `%7e` equals `~`. */
const normaliseEscapes = (text: string): string =>
  text.includes('%')
    ? text.replace(/%([0-9A-Fa-f]{2})/g, (spelling, digits: string) => {
        const character = String.fromCharCode(Number.parseInt(digits, 16))
        return unreserved.test(character) ? character : spelling.toUpperCase()
      })
    : text

/** Parameters in order of name; empty ones say nothing. */
export const sortedQuery = (query: string): string =>
  query.includes('&')
    ? query
        .split('&')
        .filter(part => part !== '')
        .sort()
        .join('&')
    : query

const asIs = (text: string): string => text

/**
 * What makes two spellings the same page: the scheme, the host without a trailing dot, the path and the query with
 * its parameters in order of name, without the fragment. Only a key: the URL is *sent* as it was found.
 * @param queryOf what of the query counts, and in which order
 * @param pathOf what of the path counts
 */
export function urlKey(url: URL, queryOf = sortedQuery, pathOf = asIs): string {
  const query = queryOf(normaliseEscapes(url.search.slice(1)))
  const path = pathOf(normaliseEscapes(url.pathname))
  return `${url.protocol}//${hostKey(url)}${path}${query === '' ? '' : `?${query}`}`
}

/** The URL that will be sent: absolute, without fragment, `http:` or `https:` only. Null when `text` gives none. */
export function sendableUrl(text: string, base?: string): URL | null {
  const url = URL.parse(text, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  url.hash = ''
  return url
}

/** A host of one's own machine, for which politeness is off unless asked for. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host)

/** For messages and logs. */
export function withoutCredentials(text: string): string {
  if (!text.includes('@')) return text
  const url = URL.parse(text)
  if (url === null || (url.username === '' && url.password === '')) return text
  url.username = ''
  url.password = ''
  return url.href
}

/** A text that may name URLs, without the credentials in them. */
export const textWithoutCredentials = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]+@/gi, '$1')
