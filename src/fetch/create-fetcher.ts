import type { Cookies } from '../cookies/cookies.ts'
import type { Env } from '../core/clock.ts'
import { type ErrorCode, faultOf, MillraceError } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import { type Reach, robotsPage } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { ContentTypes, Timeouts } from '../job/job.ts'
import { createAbortHub } from './abort-hub.ts'
import type { BodyRules } from './body-plan.ts'
import { classify } from './classify.ts'
import { createConnection } from './connection.ts'
import { type ConnectorOptions, createConnector } from './connector.ts'
import { type Ending, noProgress } from './ending.ts'
import { isStale } from './error-code.ts'
import { type Asked, exchange } from './exchange.ts'
import type { ClosableFetcher, FetchRequest } from './fetcher.ts'
import { createGuard, type Guard } from './guard.ts'
import { createPool, type PoolStats } from './pool.ts'
import { createPulse } from './pulse.ts'
import { createRequestHeaders, type HeaderOptions } from './request-headers.ts'
import { type RequestTarget, requestTargetOf } from './request-target.ts'
import { createTypeGate } from './type-gate.ts'

export interface FetcherOptions extends HeaderOptions {
  readonly env: Env
  readonly timeouts: Timeouts
  /** Bound of one body as sent. */
  readonly bodyBytes: number
  /**
   * Bound of connections per origin. A request beyond it waits its turn, and no clock of its runs meanwhile. The
   * gates bound requests per host; this is behind them. Default: 64.
   */
  readonly connections?: number
  /** Bound of connections kept between requests, over all origins, and with it of all that is kept. Default: 256. */
  readonly idleConnections?: number
  /** Others end as CONTENT_TYPE before their body is paid for. Default: all that can be a page. */
  readonly contentTypes?: ContentTypes
  /** Hosts that links from the public web may lead to though their address is private. Default: none. */
  readonly allowPrivate?: (host: HostKey) => boolean
  readonly cookies?: Cookies
  readonly tls?: Pick<ConnectorOptions, 'ca'>
  /** Instead of the system's resolver and the registries of addresses. */
  readonly addresses?: Pick<ConnectorOptions, 'lookup' | 'kindOf'>
}

export interface DirectFetcher extends ClosableFetcher {
  readonly stats: PoolStats
}

const defaults = { connections: 64, idleConnections: 256 }

/** How far undici's own timers stay behind ours. */
const netMs = 30_000

function mustBe(path: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return
  throw new MillraceError('CONFIG_INVALID', `${path} is ${value}; accepted: a number of at least ${least}`)
}

function checkOptions(options: FetcherOptions): void {
  const { timeouts } = options
  for (const name of ['connectMs', 'firstByteMs', 'idleMs', 'totalMs'] as const)
    mustBe(`timeouts.${name}`, timeouts[name], 1)
  mustBe('timeouts.minBytesPerSecond', timeouts.minBytesPerSecond, 0)
  mustBe('bodyBytes', options.bodyBytes, 1)
  mustBe('connections', options.connections ?? defaults.connections, 1)
  mustBe('idleConnections', options.idleConnections ?? defaults.idleConnections, 0)
}

interface Request extends Omit<Asked, 'path' | 'connectMs'> {
  readonly target: RequestTarget
  readonly reach: Reach
}

/** Nothing is believed of an answer that broke off. */
const setCookiesOf = (ending: Ending): readonly string[] => ('head' in ending ? ending.head.setCookies : [])

const everyPage: ContentTypes = { accept: [], refuse: [] }

const cutShort: Ending = { kind: 'cut', cut: { kind: 'aborted' }, progress: noProgress }

/**
 * A fetcher on sockets of its own, directly to the hosts: no global dispatcher, no redirect followed, nothing decoded,
 * no attempt repeated, but for a kept connection that turns out to be dead. Closing ends every socket, and what is
 * under way then ends as ABORTED.
 * @throws CONFIG_INVALID with the path of the option
 */
export function createFetcher(options: FetcherOptions): DirectFetcher {
  checkOptions(options)
  const { timeouts, bodyBytes, cookies } = options
  const { clock } = options.env
  const { connections, idleConnections } = { ...defaults, ...options }
  const headersOf = createRequestHeaders(options)
  const connect = createConnector({ clock, ...options.tls, ...options.addresses })
  const pool = createPool({ connections, idleConnections })
  const connectionOptions = { netMs: Math.ceil(netMs + 2 * Math.max(timeouts.firstByteMs, timeouts.totalMs)) }
  const rules: BodyRules = { bodyBytes, refusesType: createTypeGate(options.contentTypes ?? everyPage) }
  // Some servers send it as a download; whatever it is, it is read for its rules.
  const robotsRules: BodyRules = { bodyBytes, refusesType: () => false }
  const wallNowMs = (): number => Date.parse(clock.wallIso())
  const hub = createAbortHub()
  const watch = { clock, timeouts, pulse: createPulse(clock), hub }

  async function attempt({ target, reach, ...request }: Request, guard: Guard): Promise<Ending> {
    const { origin, path } = target
    using place = pool.take(origin) ?? (await pool.wait(origin, guard))
    if (place === null) return cutShort
    const deadline = guard.start()
    const asked = { ...request, path, connectMs: 0 }
    const kept = place.takeIdle(({ to }) => reach === 'any' || to === 'public')
    if (kept !== null) {
      const ending = await exchange(kept, asked, guard, deadline, clock)
      place.keep(kept)
      if (ending.kind !== 'broken' || !isStale(ending)) return ending
    }
    const connectAtMs = deadline.enter('connecting')
    const connected = await connect(target, reach, guard)
    if (connected.kind !== 'connected') return connected
    const fresh = createConnection(origin, connected, connectionOptions, pool.closed)
    pool.opened(fresh)
    const connectMs = deadline.enter('waiting') - connectAtMs
    const ending = await exchange(fresh, { ...asked, connectMs }, guard, deadline, clock)
    place.keep(fresh)
    return ending
  }

  const refusal = (code: ErrorCode, message: string): Outcome => ({
    kind: 'failed',
    fault: faultOf(code, message),
    status: null,
    timing: null,
    retryAfterMs: null,
  })

  async function fetch({ task, proxy, grow }: FetchRequest, signal: AbortSignal): Promise<Outcome> {
    const target = requestTargetOf(task.url)
    if (target === null) throw new MillraceError('INVARIANT', `a task has a URL that cannot be sent: ${task.id}`)
    // Going directly instead would show the caller's own address to the host.
    if (proxy !== null) throw new MillraceError('INVARIANT', 'a proxy was asked of the direct fetcher')
    let headers: string[]
    try {
      headers = headersOf(task, { authorization: target.authorization, cookie: cookies?.headerFor(task) ?? null })
    } catch (thrown) {
      if (thrown instanceof MillraceError) return refusal(thrown.code, thrown.message)
      throw thrown
    }
    using guard = createGuard(watch, signal)
    const reach = options.allowPrivate?.(task.host) ? 'any' : task.reach
    const bodyRules = task.page === robotsPage ? robotsRules : rules
    const ending = await attempt({ target, reach, headers, rules: bodyRules, grow }, guard)
    if (cookies !== undefined) cookies.keep(task, setCookiesOf(ending))
    return classify(ending, { task, timeouts, bodyBytes, wallNowMs })
  }

  return {
    fetch,
    get stats() {
      return pool.stats
    },
    async [Symbol.asyncDispose]() {
      hub.stopAll()
      await pool.close()
    },
  }
}
