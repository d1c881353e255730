import type { HttpCache } from '../cache/cache.ts'
import type { Cookies } from '../cookies/cookies.ts'
import { createAbortHub } from '../core/abort-hub.ts'
import type { Env } from '../core/clock.ts'
import { type ErrorCode, faultOf, MillraceError } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Route } from '../core/route.ts'
import { isSitemapPage, type Reach, robotsFileBytes, robotsPage, sitemapFileBytes, type Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { ContentTypes, Timeouts } from '../job/job.ts'
import type { AddressKind } from './address.ts'
import type { BodyRules } from './body-plan.ts'
import { classify } from './classify.ts'
import { type Connection, createConnection } from './connection.ts'
import { type Connected, type ConnectorOptions, createConnector } from './connector.ts'
import { type Ending, noProgress } from './ending.ts'
import { isStale } from './error-code.ts'
import { type Asked, exchange } from './exchange.ts'
import type { ClosableFetcher, FetchRequest } from './fetcher.ts'
import { createGuard, type Guard } from './guard.ts'
import { createSessions, type Opening, type Sessions } from './h2/sessions.ts'
import { isLostUnanswered, isUnprocessed, wantsHttp1 } from './h2/stream-error.ts'
import { createPool, type PoolStats } from './pool.ts'
import { createRouteConnector, type RoutedWay } from './proxy/connect-by-route.ts'
import { endingForwarded } from './proxy/forwarded.ts'
import { type Way, wayOf } from './proxy/way.ts'
import { createPulse } from './pulse.ts'
import { createRecall, learntOf } from './recall.ts'
import { createRequestHeaders, type HeaderOptions } from './request-headers.ts'
import { type RequestTarget, requestTargetOf } from './request-target.ts'
import { createResolver } from './resolver.ts'
import { createTls } from './tls.ts'
import { createTurn } from './turn.ts'
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
  /** Closed by its owner. */
  readonly cache?: HttpCache | null
  /** Whether hosts that can do so are spoken to in HTTP/2. Default: false. */
  readonly http2?: boolean
  readonly tls?: Pick<ConnectorOptions, 'ca'>
  /** Instead of the system's resolver and the registries of addresses. */
  readonly addresses?: Pick<ConnectorOptions, 'lookup' | 'resolver' | 'kindOf'>
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

type Without = Exclude<Connected, { kind: 'connected' }>

interface Request extends Omit<Asked, 'path' | 'connectMs' | 'heldMs'> {
  readonly depart: FetchRequest['depart'] | undefined
  readonly target: RequestTarget
  readonly way: Way
  readonly reach: Reach
}

/** Nothing is believed of an answer that broke off. */
const setCookiesOf = (ending: Ending): readonly string[] => ('head' in ending ? ending.head.setCookies : [])

const everyPage: ContentTypes = { accept: [], refuse: [] }

/**
 * Some servers send a robots file as a download; whatever it is, it is read for its rules, up to the same byte for every
 * job. One byte more tells that the file goes on.
 */
const robotsRules: BodyRules = { bodyBytes: robotsFileBytes + 1, isCut: true, refusesType: () => false }

/** Sitemaps come under any type, and are larger than pages; what of one was had is read. */
const sitemapRules: BodyRules = { bodyBytes: sitemapFileBytes, isCut: true, refusesType: () => false }

const cutShort: Ending = { kind: 'cut', cut: { kind: 'aborted' }, progress: noProgress }

/** Whose cookies they are: an identity's, where the route has one. */
const ownerOf = (task: Task, route: Route | null): Task =>
  route === null || route.sessionKey === null ? task : { ...task, session: route.sessionKey }

const asksForPart = (headers: readonly string[]): boolean =>
  headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'range')

const isRouted = (way: Way): way is RoutedWay => way.route !== null

/**
 * A fetcher on sockets of its own, directly to the hosts or by the route of a request: no global dispatcher, no
 * redirect followed, nothing decoded, no attempt repeated, but for a kept connection that turns out to be dead. Closing
 * ends every socket, and what is under way then ends as ABORTED.
 * @throws CONFIG_INVALID with the path of the option
 */
export function createFetcher(options: FetcherOptions): DirectFetcher {
  checkOptions(options)
  const { timeouts, bodyBytes, cookies, cache = null, http2 = false } = options
  const { clock } = options.env
  const { connections, idleConnections } = { ...defaults, ...options }
  const headersOf = createRequestHeaders(options)
  const resolver = options.addresses?.resolver ?? createResolver({ clock, ...options.addresses })
  const tls = createTls({ http2, ...options.tls })
  const connect = createConnector({ ...options.addresses, clock, tls, resolver })
  const { userAgent } = options
  const connectByRoute = createRouteConnector({ ...options.addresses, clock, connect, tls, resolver, userAgent })
  const pool = createPool({ connections, idleConnections })
  const sessions = http2 ? createSessions({ clock, idleSessions: idleConnections, onStreamClosed: pool.closed }) : null
  const connectionOptions = { netMs: Math.ceil(netMs + 2 * Math.max(timeouts.firstByteMs, timeouts.totalMs)) }
  const rules: BodyRules = { bodyBytes, isCut: false, refusesType: createTypeGate(options.contentTypes ?? everyPage) }
  const rulesFor = (page: string): BodyRules =>
    page === robotsPage ? robotsRules : isSitemapPage(page) ? sitemapRules : rules
  const wallNowMs = (): number => Date.parse(clock.wallIso())
  const hub = createAbortHub()
  const watch = { clock, timeouts, pulse: createPulse(clock), hub }

  /** Over a proxy a connection is one person's, and speaks HTTP/1.1. */
  const sessionsFor = ({ isSecure, origin }: RequestTarget, way: Way): Sessions | null =>
    isSecure && sessions !== null && !isRouted(way) && !sessions.isRefused(origin) ? sessions : null

  /** A connection of its own; where the host speaks HTTP/2 others may join it. */
  async function open(
    { target, way, reach }: Pick<Request, 'target' | 'way' | 'reach'>,
    guard: Guard,
    opening: Opening | null,
    onSecure: (tlsMs: number) => void,
  ): Promise<Connection | Without> {
    using _opening = opening
    const shared = sessionsFor(target, way)
    const connected = isRouted(way)
      ? await connectByRoute(target, way, reach, guard)
      : await connect({ ...target, onlyHttp1: shared === null }, reach, guard)
    if (connected.kind !== 'connected') return connected
    onSecure(connected.tlsMs ?? 0)
    return (
      shared?.adopt(target.origin, connected) ??
      createConnection(target.origin, connected, { ...connectionOptions, key: way.key }, pool.closed)
    )
  }

  async function attempt({ target, way, reach, depart, ...request }: Request, guard: Guard): Promise<Ending> {
    const { origin } = target
    const { key, path, isKept } = way
    using place = pool.take(key) ?? (await pool.wait(key, guard))
    if (place === null) return cutShort
    const deadline = guard.start()
    const headers = way.headers.length === 0 ? request.headers : [...request.headers, ...way.headers]
    const asked = { ...request, headers, path, connectMs: 0, heldMs: 0 }
    const turn = createTurn(depart, deadline, guard)
    const isFit = (to: AddressKind): boolean => reach === 'any' || to === 'public'

    const ask = async (connection: Connection, connectAtMs: number, tlsMs = 0): Promise<Ending> => {
      pool.opened(connection)
      const connectMs = deadline.enter('waiting') - connectAtMs
      const isLeaving = await turn.hasCome()
      const { heldMs } = turn
      const ending = isLeaving
        ? await exchange(connection, { ...asked, connectMs, tlsMs, heldMs }, guard, deadline, clock)
        : cutShort
      // A stream that was never opened takes room of its session.
      if (isKept && (isLeaving || connection.isOpen)) place.keep(connection)
      else void connection.close()
      return ending
    }
    const connectAndAsk = async (opening: Opening | null = null): Promise<Ending> => {
      const connectAtMs = deadline.enter('connecting')
      let tlsMs = 0
      const opened = await open({ target, way, reach }, guard, opening, tookMs => {
        tlsMs = tookMs
      })
      return 'kind' in opened ? opened : await ask(opened, connectAtMs, tlsMs)
    }

    const kept = isKept ? place.takeIdle(({ to }) => isFit(to)) : null
    if (kept !== null) {
      const isLeaving = await turn.hasCome()
      const { heldMs } = turn
      const ending = isLeaving ? await exchange(kept, { ...asked, heldMs }, guard, deadline, clock) : cutShort
      place.keep(kept)
      if (ending.kind !== 'broken' || !isStale(ending)) return ending
    }
    const shared = sessionsFor(target, way)
    if (shared === null) return await connectAndAsk()
    const joinAtMs = deadline.enter('connecting')
    const joined = await shared.join(origin, isFit, guard)
    const isFresh = 'kind' in joined
    const ending = isFresh ? await connectAndAsk(joined) : await ask(joined, joinAtMs)
    if (wantsHttp1(ending)) shared.refuse(origin)
    else if (!isUnprocessed(ending) && (isFresh || !isLostUnanswered(ending))) return ending
    return await connectAndAsk()
  }

  const refusal = (code: ErrorCode, message: string): Outcome => ({
    kind: 'failed',
    fault: faultOf(code, message),
    status: null,
    timing: null,
    retryAfterMs: null,
  })

  const reachOf = ({ host, reach }: Task): Reach => (options.allowPrivate?.(host) ? 'any' : reach)

  const outcomeOf = (task: Task, ending: Ending, isPartAsked = false): Outcome =>
    classify(ending, { task, timeouts, bodyBytes, wallNowMs, isPartAsked })

  /** @throws CONFIG_INVALID */
  const sentHeaders = (task: Task, { authorization }: RequestTarget, owner: Task = task): string[] =>
    headersOf(task, { authorization, cookie: cookies?.headerFor(owner) ?? null })

  async function fetch(asked: FetchRequest, signal: AbortSignal): Promise<Outcome> {
    const { task, route, grow, expect, depart, sent } = asked
    const target = requestTargetOf(task.url)
    if (target === null) throw new MillraceError('INVARIANT', `a task has a URL that cannot be sent: ${task.id}`)
    const way = wayOf(target, route)
    const owner = ownerOf(task, route)
    let headers: string[]
    try {
      headers = sentHeaders(task, target, owner)
    } catch (thrown) {
      if (thrown instanceof MillraceError) return refusal(thrown.code, thrown.message)
      throw thrown
    }
    const asking = cache === null ? null : await cache.ask({ task, headers })
    if (asking !== null) {
      headers = [...headers, ...asking.conditions]
      grow(asking.bodyBytes)
    }
    using guard = createGuard(watch, signal)
    const bodyRules = rulesFor(task.page)
    const request = { target, way, reach: reachOf(task), headers, rules: bodyRules, grow, expect, depart, sent }
    const ended = await attempt(request, guard)
    const ending = way.isForwarded && isRouted(way) ? endingForwarded(ended, way.route.label) : ended
    if (cookies !== undefined) cookies.keep(owner, setCookiesOf(ending))
    const isPartAsked = asksForPart(headers)
    if (asking === null) return outcomeOf(task, ending, isPartAsked)
    return learntOf(asking, ending, bodyRules, each => outcomeOf(task, each, isPartAsked))
  }

  /** Null where the headers are not acceptable, or the URL cannot be sent: the fetch itself tells. */
  function headersToRecall(task: Task): string[] | null {
    const target = requestTargetOf(task.url)
    try {
      return target === null ? null : sentHeaders(task, target)
    } catch {
      return null
    }
  }

  return {
    fetch,
    ...(cache !== null && {
      recall: createRecall({ cache, rules, cookies, reachOf, classify: outcomeOf, headersOf: headersToRecall }),
    }),
    get stats() {
      return pool.stats
    },
    async [Symbol.asyncDispose]() {
      hub.stopAll()
      await pool.close()
      await sessions?.close()
    },
  }
}
