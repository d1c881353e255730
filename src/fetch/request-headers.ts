import { MillraceError } from '../core/errors.ts'
import type { HostKey } from '../core/url.ts'

type Headers = Readonly<Record<string, string>>

export interface HeaderOptions {
  /** Names the project and where to complain: `books/1.0 (+https://books.test/bot)`. */
  readonly userAgent: string
  /** Sent with every request. */
  readonly headers: Headers
  /** Sent to one host, over those of the job. One record per host, not a new one for each call. */
  readonly headersFor?: (host: HostKey) => Headers
}

/** Written by the transport; a second one would contradict it. */
const ours = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const illegal = /[^\t\x20-\x7e\x80-\xff]/

/** @throws CONFIG_INVALID. The value is not repeated: it may be a secret. */
function checkHeader(name: string, value: string, path: string): void {
  if (!token.test(name))
    throw new MillraceError('CONFIG_INVALID', `${path}: ${JSON.stringify(name)} is no header name; accepted: a token`)
  if (ours.has(name.toLowerCase()))
    throw new MillraceError('CONFIG_INVALID', `${path}: the header ${name} is written by the transport`)
  const found = illegal.exec(value)
  if (found === null) return
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw new MillraceError(
    'CONFIG_INVALID',
    `${path}: the value has U+${code} at position ${found.index}; accepted: no CR, LF, NUL or other control, nothing above U+00FF`,
  )
}

/** @throws CONFIG_INVALID with the path of the header. */
export function checkHeaders(headers: Headers, path: string): void {
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, `${path}.${name}`)
}

/** Later ones win, whatever the case of their names. */
function merged(...all: readonly Headers[]): Map<string, readonly [name: string, value: string]> {
  const byKey = new Map<string, readonly [string, string]>()
  for (const headers of all)
    for (const [name, value] of Object.entries(headers)) byKey.set(name.toLowerCase(), [name, value])
  return byKey
}

/**
 * The headers of a request to a host, flat: name, value, name, value. `authorization` is what its URL brought along.
 */
export type RequestHeaders = (host: HostKey, authorization: string | null) => string[]

/**
 * @throws CONFIG_INVALID here for `userAgent` and `headers`, when called for what `headersFor` gives.
 */
export function createRequestHeaders(options: HeaderOptions): RequestHeaders {
  if (options.userAgent.trim() === '')
    throw new MillraceError('CONFIG_INVALID', 'userAgent is empty; accepted: a name and a contact URL')
  checkHeader('User-Agent', options.userAgent, 'userAgent')
  checkHeaders(options.headers, 'headers')
  const forAll: Headers = {
    'User-Agent': options.userAgent,
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
  }
  const flat = (forHost: Headers): string[] => [...merged(forAll, options.headers, forHost).values()].flat()
  const common = flat({})
  const byRecord = new WeakMap<Headers, string[]>()

  function listFor(host: HostKey): string[] {
    const forHost = options.headersFor?.(host)
    if (forHost === undefined) return common
    let list = byRecord.get(forHost)
    if (list === undefined) {
      checkHeaders(forHost, `hosts.${host}.headers`)
      list = flat(forHost)
      byRecord.set(forHost, list)
    }
    return list
  }

  return (host, authorization) => {
    const list = listFor(host)
    if (authorization === null) return list
    const others = list.filter((_, at) => list[at - (at % 2)]?.toLowerCase() !== 'authorization')
    return [...others, 'Authorization', authorization]
  }
}
