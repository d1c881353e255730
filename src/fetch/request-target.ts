import type { Target } from './target.ts'

/** A URL as a request needs it. */
export interface RequestTarget extends Target {
  /** As `URL.origin` says it. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** The value of an Authorization header, when the URL itself had a user or a password. */
  readonly authorization: string | null
}

/**
 * An http(s) URL that is serialised already: no credentials, a lower-case name in plain letters, and a path that
 * parsing would not change, so without dot segments. What is not surely of that form does not match.
 */
const serialised = new RegExp(
  [
    /^(https?):\/\//,
    /((?!.*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*|127\.0\.0\.1)/,
    /(?::(?!(?:80|443)\/)([1-9]\d{0,3}|[1-5]\d{4}))?/,
    /((?!.*\/(?:\.|%2[eE]))\/[\w\-.~!$&()*+,;=:@%/?]*)$/,
  ]
    .map(part => part.source)
    .join(''),
)

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')}`
}

function parsed(text: string): RequestTarget | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  const isSecure = url.protocol === 'https:'
  url.hash = ''
  return {
    isSecure,
    host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    origin: url.origin,
    // `pathname` and `search` would lose a question mark that nothing follows.
    path: url.href.slice(url.href.indexOf('/', url.protocol.length + 2)),
    authorization: authorizationOf(url),
  }
}

/**
 * Where a URL leads, null when it cannot be sent. The URL of a task was parsed when it was found and is sent as it is,
 * so that as a rule it is only cut into its pieces: parsing once more cost as much as the rest of our own work.
 */
export function requestTargetOf(text: string): RequestTarget | null {
  const [, scheme, host, port, path] = serialised.exec(text) ?? []
  if (host === undefined || path === undefined) return parsed(text)
  const isSecure = scheme === 'https'
  return {
    isSecure,
    host,
    port: port === undefined ? (isSecure ? 443 : 80) : Number(port),
    origin: text.slice(0, text.length - path.length),
    path,
    authorization: null,
  }
}
