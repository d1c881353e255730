import type { Reading, Verdict } from '../../src/core/outcome.ts'
import type { HostKey } from '../../src/core/url.ts'
import { noteSent } from '../../src/gate/host-pace.ts'
import {
  answerLane,
  createLane,
  enterLane,
  type HostLane,
  type LaneGrant,
  laneReadyAtMs,
  leaveLane,
} from '../../src/gate/lane.ts'
import type { HostPolicy, LimiterPolicy } from '../../src/job/job.ts'
import { retryAfterMs as readRetryAfterMs } from '../../src/pace/retry-after.ts'
import { createRandom } from '../sim/random.ts'
import { createEventHeap } from './event-heap.ts'
import { createFifo } from './fifo.ts'
import { createModelServer, type Job, type ModelServer, type ServerTraits } from './model-server.ts'
import { createSeries, type Series } from './series.ts'
import { createTurns } from './turns.ts'

/**
 * Model servers and the clients that ask them, as a discrete-event simulation: one heap whose entries are the requests
 * themselves, no promise and no closure a request, so that a minute of a busy host takes some milliseconds. Clients run
 * the policy and the rules of granting that the gate runs, unchanged. Server and policy draw from generators of their
 * own, so that two policies see like servers.
 */
export interface World {
  server(traits: Partial<ServerTraits>): Server
  client(server: Server, policy: LimiterPolicy, startAtMs?: number): Client
  /** Changes something on the way. */
  at(atMs: number, run: () => void): void
  /** After `demand` was raised: sends what may be sent now. */
  admit(client: Client): void
  run(): void
}

export interface WorldOptions {
  readonly seed: number
  readonly seconds: number
  /** Requests in flight over all clients. */
  readonly cap?: number
  readonly timeoutMs?: number
  /** Of departures, for each client. */
  readonly rate?: HostPolicy['rate']
}

export type Server = ModelServer<Request>

/** One process asking one host. */
export interface Client {
  readonly lane: HostLane
  readonly server: Server
  readonly startAtMs: number
  /** Requests it would like to have in flight. */
  demand: number
  /** Good answers that it still wants. */
  left: number
  /** The way of the next request. */
  routeOf: (random: () => number) => Route
  /** Its event loop is blocked in between. */
  blockFromMs: number
  blockUntilMs: number
  /** Its clock on the wall over that of the host, which asks to wait until a date; null: it asks for seconds. */
  wallAheadMs: number | null
  /** Requests in flight above the limit as one more was sent. */
  mostOverLimit: number
  wakeAtMs: number
  limitSinceMs: number
  lastLimit: number
  readonly sent: Series
  readonly verdicts: Readonly<Record<Verdict, Series>>
  /** Integrals of the limit, and of the permits that were out. */
  readonly limitMs: Series
  readonly permitMs: Series
  readonly sentAtMs: number[]
  readonly inFlightWhenSent: number[]
  readonly refusedAtMs: number[]
  /** Of the good answers, in the order in which they came. */
  readonly answeredAtMs: number[]
  readonly firstByteMs: number[]
  readonly changes: { readonly atMs: number; readonly from: number; readonly to: number; readonly reason: string }[]
}

/** What a proxy adds: before the server sees anything, and to the first byte itself. */
export interface Route {
  readonly name: string
  readonly connectMs: number
  readonly delayMs: number
}

export const direct: Route = { name: '', connectMs: 0, delayMs: 0 }

type Stage = 'arrives' | 'served' | 'answered' | 'rested' | 'wakes' | 'times out' | 'happens'

interface Request extends Job {
  atMs: number
  stage: Stage
  readonly client: Client | null
  readonly grant: LaneGrant
  route: Route
  readonly happen: (() => void) | null
  verdict: Verdict
  retryAfterMs: number | null
  hasEnded: boolean
}

const httpDate = (wallMs: number): string => new Date(wallMs).toUTCString()

const noGrant: LaneGrant = {
  grantedMs: 0,
  inFlight: 0,
  isProbe: false,
  closedUntilMs: 0,
  isSent: true,
  isLetGo: false,
  isWithdrawn: false,
}

export function createWorld({ seed, seconds, cap, timeoutMs = 5_000, rate = null }: WorldOptions): World {
  const serverRandom = createRandom(seed * 7_919)
  const policyRandom = createRandom(seed * 104_729 + 1)
  const endMs = seconds * 1000
  const events = createEventHeap<Request>()
  const clients: Client[] = []
  const deadlines = createFifo<Request>()
  const turns = cap === undefined ? null : createTurns(cap)
  let isDeadlineArmed = false
  let nowMs = 0

  function schedule(request: Request, stage: Stage, atMs: number): void {
    request.stage = stage
    request.atMs = atMs
    events.push(request)
  }

  const requestOf = (client: Client | null, grant: LaneGrant, happen: (() => void) | null = null): Request => ({
    atMs: 0,
    stage: 'happens',
    client,
    grant,
    route: direct,
    happen,
    servedFromMs: 0,
    verdict: 'good',
    retryAfterMs: null,
    hasEnded: false,
  })

  function send(client: Client): void {
    const { lane } = client
    const route = client.routeOf(serverRandom)
    const request = requestOf(client, enterLane(lane, nowMs))
    request.route = route
    client.sent.count(nowMs)
    client.sentAtMs.push(nowMs)
    client.inFlightWhenSent.push(lane.inFlight)
    client.mostOverLimit = Math.max(client.mostOverLimit, lane.inFlight - lane.limiter.limit)
    deadlines.push(request)
    armDeadline()
    if (route.connectMs > 0) schedule(request, 'arrives', nowMs + route.connectMs)
    else arrive(client, request)
  }

  /** It is connected, and is written. */
  function arrive(client: Client, request: Request): void {
    if (request.hasEnded) return
    noteSent(client.lane, request.grant, nowMs, policyRandom)
    client.server.arrive(request)
  }

  const isBlocked = (client: Client): boolean => client.blockFromMs <= nowMs && nowMs < client.blockUntilMs

  function readyAtMs(client: Client): number {
    if (nowMs < client.startAtMs) return client.startAtMs
    if (isBlocked(client)) return client.blockUntilMs
    const wanted = Math.min(client.demand, client.left)
    return client.lane.inFlight >= wanted ? Number.POSITIVE_INFINITY : laneReadyAtMs(client.lane)
  }

  function wakeAt(client: Client, atMs: number): void {
    if (atMs === Number.POSITIVE_INFINITY || client.wakeAtMs === atMs) return
    client.wakeAtMs = atMs
    schedule(requestOf(client, noGrant), 'wakes', atMs)
  }

  /** Without a cap, nobody but `client` can have become ready. With one, all get their turn as in a crawl. */
  function admit(client: Client): void {
    if (turns === null) {
      while (readyAtMs(client) <= nowMs) send(client)
      wakeAt(client, readyAtMs(client))
      return
    }
    turns.wake(client)
    for (let next = takeTurn(); next !== null; next = takeTurn()) send(next)
  }

  function takeTurn(): Client | null {
    return (
      turns?.next(nowMs, client => {
        const atMs = readyAtMs(client)
        wakeAt(client, atMs > nowMs ? atMs : Number.POSITIVE_INFINITY)
        return atMs
      }) ?? null
    )
  }

  function noteLimit(client: Client): void {
    const { limit, reason } = client.lane.limiter
    client.limitMs.spread(client.limitSinceMs, nowMs, client.lastLimit)
    client.changes.push({ atMs: nowMs, from: client.lastLimit, to: limit, reason })
    client.limitSinceMs = nowMs
    client.lastLimit = limit
  }

  /** How long the host asks to wait, as the client reads it. */
  function askedMs({ wallAheadMs }: Client, { retryAfterMs }: Request): number | null {
    if (wallAheadMs === null || retryAfterMs === null) return retryAfterMs
    return readRetryAfterMs(httpDate(nowMs + retryAfterMs), nowMs + wallAheadMs, { date: httpDate(nowMs) })
  }

  function end(client: Client, request: Request, verdict: Verdict): void {
    if (request.hasEnded) return
    request.hasEnded = true
    const { grant, route } = request
    const retryAfterMs = askedMs(client, request)
    const stalled = grant.grantedMs < client.blockUntilMs && nowMs >= client.blockFromMs
    const firstByteMs = verdict === 'timeout' ? null : nowMs - grant.grantedMs - route.connectMs
    const reading: Reading = { verdict, firstByteMs, retryAfterMs, stalled, route: route.name }
    client.verdicts[verdict].count(nowMs)
    if (verdict === 'refused') client.refusedAtMs.push(nowMs)
    if (verdict === 'good' && firstByteMs !== null) {
      client.left -= 1
      client.answeredAtMs.push(nowMs)
      client.firstByteMs.push(firstByteMs)
    }
    turns?.end(client)
    const restUntilMs = answerLane(client.lane, grant, reading, nowMs, policyRandom)
    if (client.lane.limiter.limit !== client.lastLimit) noteLimit(client)
    if (restUntilMs > nowMs) schedule(request, 'rested', restUntilMs)
    else giveBack(client, request)
  }

  function giveBack(client: Client, { grant }: Request): void {
    client.permitMs.spread(grant.grantedMs, nowMs, 1)
    leaveLane(client.lane, nowMs)
    turns?.leave()
    admit(client)
  }

  /** Time-outs are all as long, so they end in the order in which they began: one armed event is enough. */
  function armDeadline(): void {
    while (deadlines.first?.hasEnded === true) deadlines.drop()
    if (isDeadlineArmed || deadlines.first === null) return
    isDeadlineArmed = true
    schedule(requestOf(null, noGrant), 'times out', deadlines.first.grant.grantedMs + timeoutMs)
  }

  function timeOut(): void {
    isDeadlineArmed = false
    for (let next = deadlines.first; next !== null; next = deadlines.first) {
      if (!next.hasEnded && next.grant.grantedMs + timeoutMs > nowMs) break
      deadlines.drop()
      if (next.client !== null) end(next.client, next, 'timeout')
    }
    armDeadline()
  }

  function handle(request: Request): void {
    const { client, stage } = request
    if (stage === 'times out') timeOut()
    else if (stage === 'happens') request.happen?.()
    else if (client === null) return
    else if (stage === 'arrives') arrive(client, request)
    else if (stage === 'served') client.server.served(request)
    else if (stage === 'rested') giveBack(client, request)
    else if (stage === 'wakes') admit(client)
    else if (isBlocked(client)) schedule(request, stage, client.blockUntilMs)
    else end(client, request, request.verdict)
  }

  const port = {
    nowMs: () => nowMs,
    work: (request: Request, durationMs: number) => schedule(request, 'served', nowMs + durationMs),
    answer(request: Request, verdict: Verdict, afterMs: number, retryAfterMs: number | null) {
      request.verdict = verdict
      request.retryAfterMs = retryAfterMs
      schedule(request, 'answered', nowMs + afterMs + request.route.delayMs)
    },
  }
  const series = (): Series => createSeries(seconds)

  return {
    server: traits => createModelServer(traits, port, seconds, serverRandom),
    client(server, perHost, startAtMs = 0) {
      const policy = { perHost, rate, delayMs: { min: 0, max: 0 } }
      const lane = createLane(`host-${clients.length}.test` as HostKey, policy, 0, policyRandom)
      const client: Client = {
        lane,
        server,
        startAtMs,
        demand: Number.POSITIVE_INFINITY,
        left: Number.POSITIVE_INFINITY,
        routeOf: () => direct,
        blockFromMs: 0,
        blockUntilMs: 0,
        wallAheadMs: null,
        mostOverLimit: Number.NEGATIVE_INFINITY,
        wakeAtMs: 0,
        limitSinceMs: startAtMs,
        lastLimit: lane.limiter.limit,
        sent: series(),
        limitMs: series(),
        permitMs: series(),
        verdicts: { good: series(), refused: series(), timeout: series(), error: series(), ignored: series() },
        sentAtMs: [],
        inFlightWhenSent: [],
        refusedAtMs: [],
        answeredAtMs: [],
        firstByteMs: [],
        changes: [],
      }
      clients.push(client)
      turns?.add(client)
      schedule(requestOf(client, noGrant), 'wakes', startAtMs)
      return client
    },
    admit,
    at: (atMs, run) => schedule(requestOf(null, noGrant, run), 'happens', atMs),
    run() {
      for (let next = events.pop(); next !== null && next.atMs <= endMs; next = events.pop()) {
        nowMs = next.atMs
        handle(next)
      }
      nowMs = endMs
      for (const client of clients) noteLimit(client)
    },
  }
}
