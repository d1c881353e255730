import type { Route } from '../../core/route.ts'
import type { RequestTarget } from '../request-target.ts'
import { authorizationOf } from './credentials.ts'

/** What the way to its host means for a request. */
export interface Way {
  readonly route: Route | null
  /** Connections of the same key are alike: who may have one may have each of them. */
  readonly key: string
  /** Whether its connection may serve another request, or have served one. */
  readonly isKept: boolean
  /** What is asked for: a path, or the whole URL of a proxy that passes plain HTTP on. */
  readonly path: string
  /** For the proxy alone. */
  readonly headers: readonly string[]
  /** The proxy reads the request and answers it, be it with the answer of the host or with one of its own. */
  readonly isForwarded: boolean
}

/**
 * A connection belongs to whom it was made for: origin, proxy, user and password, and in `sticky` the session.
 * `fresh` ones are nobody's; the key bounds how many of them there are at a time.
 */
function keyOf(origin: string, { proxy, connection, sessionKey }: Route): string {
  const { protocol, host, port, credentials } = proxy
  const as = credentials === null ? [] : [credentials.user, credentials.password]
  return JSON.stringify([origin, connection, protocol, host, port, as, connection === 'sticky' ? sessionKey : null])
}

export function wayOf({ origin, path, isSecure }: RequestTarget, route: Route | null): Way {
  if (route === null) return { route, key: origin, isKept: true, path, headers: [], isForwarded: false }
  const { protocol, credentials } = route.proxy
  const isForwarded = !isSecure && (protocol === 'http' || protocol === 'https')
  return {
    route,
    key: keyOf(origin, route),
    isKept: route.connection !== 'fresh',
    path: isForwarded ? `${origin}${path}` : path,
    headers: isForwarded && credentials !== null ? ['Proxy-Authorization', authorizationOf(credentials)] : [],
    isForwarded,
  }
}
