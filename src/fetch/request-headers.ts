import { MillraceError } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import { isOfItsHost } from './trail.ts'

type Headers = Readonly<Record<string, string>>

export interface HeaderOptions {
  /** Names the project and where to complain: `books/1.0 (+https://books.test/bot)`. */
  readonly userAgent: string
  /** Sent with every request. */
  readonly headers: Headers
  /**
   * Sent to one host, over those of the job, and to no other one that it redirects to. One record per host, not a new
   * one for each call.
   */
  readonly headersFor?: (host: HostKey) => Headers | undefined
  /** Sent for pages of one kind, over all others. One record per page rule. */
  readonly pageHeadersFor?: (page: string) => Headers | undefined
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

const none: Headers = {}

/** What one request adds to the headers of its host. */
export interface OwnHeaders {
  /** What its URL brought along. */
  readonly authorization: string | null
  /** What a cookie jar has for it, beside cookies that the job wrote. */
  readonly cookie: string | null
}

/** The headers of a request, flat: name, value, name, value. */
export type RequestHeaders = (task: Pick<Task, 'url' | 'host' | 'hops' | 'page'>, own: OwnHeaders) => string[]

/** Where a flat list has the value of a header; 0: nowhere. */
const placeOf = (list: readonly string[], sought: string): number =>
  list.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === sought) + 1

function put(list: readonly string[], name: string, value: string): string[] {
  const at = placeOf(list, name.toLowerCase())
  return at === 0 ? [...list, name, value] : list.with(at, value)
}

function withOwn(list: readonly string[], { authorization, cookie }: OwnHeaders): string[] {
  const at = placeOf(list, 'cookie')
  const withCookie = cookie === null ? [...list] : put(list, 'Cookie', at === 0 ? cookie : `${list[at]}; ${cookie}`)
  return authorization === null ? withCookie : put(withCookie, 'Authorization', authorization)
}

/**
 * @throws CONFIG_INVALID here for `userAgent` and `headers`, when called for what `headersFor` and `pageHeadersFor` give.
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
  const lists = new WeakMap<Headers, WeakMap<Headers, string[]>>()

  function make(forHost: Headers, forPage: Headers, { host, page }: Pick<Task, 'host' | 'page'>): string[] {
    checkHeaders(forHost, `hosts.${host}.headers`)
    checkHeaders(forPage, `pages.${page}.headers`)
    return [...merged(forAll, options.headers, forHost, forPage).values()].flat()
  }

  return (task, own) => {
    const forHost = (isOfItsHost(task) ? options.headersFor?.(task.host) : undefined) ?? none
    const forPage = options.pageHeadersFor?.(task.page) ?? none
    let byPage = lists.get(forHost)
    if (byPage === undefined) {
      byPage = new WeakMap()
      lists.set(forHost, byPage)
    }
    let list = byPage.get(forPage)
    if (list === undefined) {
      list = make(forHost, forPage, task)
      byPage.set(forPage, list)
    }
    return own.authorization === null && own.cookie === null ? list : withOwn(list, own)
  }
}
