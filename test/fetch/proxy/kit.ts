import type { Outcome } from '../../../src/core/outcome.ts'
import type { ConnectionPolicy, ProxyAddress, ProxyProtocol, Route } from '../../../src/core/route.ts'
import type { Task } from '../../../src/core/task.ts'
import type { DirectFetcher, FetcherOptions } from '../../../src/fetch/create-fetcher.ts'
import { cert } from '../certificates.ts'
import { fetcherWith, never, taskFor } from '../kit.ts'

export const credentials = { user: 'user-country-de', password: 'p@ss:w/ö rd' }

export interface Listening {
  readonly protocol: ProxyProtocol
  readonly port: number
  readonly credentials?: ProxyAddress['credentials']
}

export const routeTo = (
  { protocol, port, credentials: login = null }: Listening,
  over: Partial<Route> = {},
  address: Partial<ProxyAddress> = {},
): Route => ({
  // By name for TLS: the certificate of the tests has both.
  proxy: { protocol, host: protocol === 'https' ? 'localhost' : '127.0.0.1', port, credentials: login, ...address },
  connection: 'fresh',
  sessionKey: null,
  region: 'de',
  label: 'gate.test:8000',
  ...over,
})

export const fetchBy = (
  fetcher: DirectFetcher,
  url: string,
  route: Route,
  task: Partial<Task> = {},
  signal: AbortSignal = never,
): Promise<Outcome> => fetcher.fetch({ task: { ...taskFor(url), ...task }, route, grow: () => {} }, signal)

/** One attempt by a fetcher of its own, which trusts the certificate of the tests. */
export async function fetchOnceBy(
  url: string,
  route: Route,
  options: Partial<FetcherOptions> = {},
  task: Partial<Task> = {},
): Promise<Outcome> {
  await using fetcher = fetcherWith({ tls: { ca: cert }, ...options })
  return await fetchBy(fetcher, url, route, task)
}

export const policies: readonly ConnectionPolicy[] = ['fresh', 'sticky', 'pooled']

/** What the way came to: `connect null`, `denied 407`; null where the proxy is not to blame. */
export const faultWords = (outcome: Outcome): string | null =>
  outcome.kind === 'failed' && outcome.fault.code === 'PROXY_FAILED'
    ? `${outcome.proxyFailure} ${outcome.status}`
    : null
