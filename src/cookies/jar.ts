import type { Cookie } from 'tough-cookie'
import { lateLibrary } from '../core/late-library.ts'

/** The cookies of one identity (RFC 6265), with ceilings: no site can have more remembered than a browser would. */
export interface Jar {
  readonly size: number
  headerFor(url: string): string | null
  keep(url: string, setCookie: string, nowMs: number): void
}

const library = lateLibrary<typeof import('tough-cookie')>('tough-cookie')

/** RFC 6265, 6.1, as the least that a client should keep, and RFC 6265bis, 5.6, as the most. */
const cookieBytes = 4_096
const perDomain = 50
const perJar = 3_000

/** What may stand in a header; the rest of a cookie is for the library to judge. */
const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

const idOf = ({ domain, path, key }: Cookie): string => JSON.stringify([domain, path, key])

/** The library counts Max-Age from the last use, so that a cookie in use would never end; the RFC from the answer. */
function withEnd(cookie: Cookie, nowMs: number): Cookie {
  if (typeof cookie.maxAge !== 'number' || cookie.maxAge <= 0) return cookie
  cookie.expires = new Date(Math.min(nowMs + cookie.maxAge * 1_000, 8.64e15))
  cookie.maxAge = null
  return cookie
}

export function createJar(): Jar {
  const { Cookie, CookieJar } = library()
  // `Domain=localhost` is a cookie of localhost, as browsers have it.
  const jar = new CookieJar(undefined, { allowSpecialUseDomain: true })
  /** By id, set first comes first. */
  const cookies = new Map<string, Cookie>()
  const counts = new Map<string, number>()

  function count(domain: string, step: 1 | -1): number {
    const number = (counts.get(domain) ?? 0) + step
    if (number === 0) counts.delete(domain)
    else counts.set(domain, number)
    return number
  }

  function drop(id: string, { domain, path, key }: Cookie): void {
    cookies.delete(id)
    count(domain ?? '', -1)
    jar.store.removeCookie(domain, path, key, () => {})
  }

  function dropOldest(domain: string | null): void {
    for (const [id, cookie] of cookies) {
      if (domain !== null && cookie.domain !== domain) continue
      drop(id, cookie)
      return
    }
  }

  function remember(cookie: Cookie): void {
    const id = idOf(cookie)
    if (!cookies.delete(id) && count(cookie.domain ?? '', 1) > perDomain) dropOldest(cookie.domain)
    cookies.set(id, cookie)
    if (cookies.size > perJar) dropOldest(null)
  }

  return {
    get size() {
      return cookies.size
    },
    headerFor(url) {
      const text = jar.getCookieStringSync(url)
      return text === '' ? null : text
    },
    keep(url, setCookie, nowMs) {
      if (setCookie.length > cookieBytes || !isHeaderText(setCookie)) return
      const cookie = Cookie.parse(setCookie)
      if (cookie === undefined) return
      const kept = jar.setCookieSync(withEnd(cookie, nowMs), url, { ignoreError: true, now: new Date(nowMs) })
      if (kept === undefined) return
      // Sites take a cookie back by setting it anew with an end that is past.
      if ((kept.expiryTime() ?? nowMs + 1) > nowMs) remember(kept)
      else if (cookies.has(idOf(kept))) drop(idOf(kept), kept)
    },
  }
}
