import { isIP, type Socket } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import type { Route } from '../../core/route.ts'
import type { Reach } from '../../core/task.ts'
import { type AddressKind, addressKind } from '../address.ts'
import { brokenAt, type Connect, type Connected } from '../connector.ts'
import { type Cut, noProgress, type ProxyFault } from '../ending.ts'
import { reasonOf } from '../error-code.ts'
import type { Guard } from '../guard.ts'
import type { Resolved, Resolver } from '../resolver.ts'
import type { Target } from '../target.ts'
import type { Tls } from '../tls.ts'
import { createDialogue, type Silence } from './dialogue.ts'
import { askForTunnel } from './http-connect.ts'
import type { Refusal, Tunnel } from './refusal.ts'
import { askSocks } from './socks.ts'
import type { Way } from './way.ts'

/** The part of a way that leads over a proxy. */
export type RoutedWay = Way & { readonly route: Route }

/** As `Connect`, with a proxy in between, which is asked once. Its connection, its answer and TLS have one deadline. */
export type ConnectByRoute = (target: Target, way: RoutedWay, reach: Reach, guard: Guard) => Promise<Connected>

export interface RouteConnectorOptions {
  readonly clock: Clock
  /** To the proxies. */
  readonly connect: Connect
  readonly tls: Tls
  /** For `socks5`, which wants addresses. */
  readonly resolver: Resolver
  readonly kindOf?: (address: string) => AddressKind
  /** Told to proxies, which may ask for one. */
  readonly userAgent: string
}

/** Where the proxy is to connect to: an address, or a name that it looks up itself. */
interface Goal {
  readonly kind: 'goal'
  readonly host: string
  readonly to: AddressKind
}

type Without = Exclude<Connected, { kind: 'connected' }>
type Open = Extract<Tunnel, { kind: 'open' }>

const localName = /^(?:.+\.)?localhost\.?$/i

const cutOf = (cut: Cut): Without => ({ kind: 'cut', cut, progress: noProgress })

const faultOf = ({ label }: Route, refusal: Refusal): ProxyFault => ({ kind: 'proxy-failed', label, ...refusal })

/** An abort is nobody's fault. */
const outOfTime = (route: Route, cut: Cut): Without =>
  cut.kind === 'aborted'
    ? cutOf(cut)
    : faultOf(route, { failure: 'timeout', status: null, detail: `silent until timeouts.${cut.limit}` })

const unreachable = (route: Route, detail: string): ProxyFault =>
  faultOf(route, { failure: 'connect', status: null, detail })

/** What kept us from the proxy, as its fault. */
function notReached(route: Route, how: Without): Without {
  if (how.kind === 'cut') return outOfTime(route, how.cut)
  if (how.kind !== 'broken') return how
  const words = { lookup: 'its name was not found: ', connect: '', handshake: 'no TLS with it: ', answer: '' }
  return unreachable(route, `${words[how.stage]}${reasonOf(how.error)}`)
}

function afterSilence(route: Route, silence: Silence | null): Without {
  switch (silence?.kind) {
    case 'cut':
      return outOfTime(route, silence.cut)
    case 'lost':
      return unreachable(route, `hung up while it was asked: ${reasonOf(silence.error)}`)
    default:
      return unreachable(route, 'hung up while it was asked')
  }
}

export function createRouteConnector(options: RouteConnectorOptions): ConnectByRoute {
  const { clock, connect, tls, resolver, kindOf = addressKind, userAgent } = options

  /** Whose a host is as far as its name tells: where other names lead is for the proxy to find out. */
  function kindByName(host: string): AddressKind {
    if (isIP(host) !== 0) return kindOf(host)
    return localName.test(host) ? 'private' : 'public'
  }

  async function resolved(host: string, reach: Reach, guard: Guard): Promise<Goal | Without> {
    const answer = await new Promise<Resolved | Cut>(tell => {
      guard.whenCut(tell)
      void resolver.resolve(host).then(tell)
    })
    if (answer.kind === 'unresolved') return brokenAt('lookup', answer.error)
    if (answer.kind !== 'resolved') return cutOf(answer)
    const { addresses } = answer
    const allowed = reach === 'any' ? addresses : addresses.filter(({ address }) => kindOf(address) === 'public')
    // Proxies without IPv6 are many.
    const { address } = allowed.find(({ family }) => family === 4) ?? allowed[0] ?? {}
    if (address === undefined) return { kind: 'barred', addresses: addresses.map(each => each.address) }
    return { kind: 'goal', host: address, to: kindOf(address) }
  }

  async function goalOf(host: string, { proxy }: Route, reach: Reach, guard: Guard): Promise<Goal | Without> {
    const to = kindByName(host)
    if (reach === 'public' && to !== 'public') return { kind: 'barred', addresses: [host] }
    if (proxy.protocol === 'socks5' && isIP(host) === 0) return await resolved(host, reach, guard)
    return { kind: 'goal', host, to }
  }

  async function negotiate(socket: Socket, goal: Target, route: Route, guard: Guard): Promise<Open | Without> {
    using dialogue = createDialogue(socket, guard)
    const { proxy } = route
    const isHttp = proxy.protocol === 'http' || proxy.protocol === 'https'
    const answer = isHttp
      ? await askForTunnel(dialogue, goal, proxy, userAgent)
      : await askSocks(dialogue, goal.host, goal.port, proxy)
    if (answer.kind === 'refused') return faultOf(route, answer.refusal)
    if (answer.kind === 'silent' || dialogue.silence !== null) return afterSilence(route, dialogue.silence)
    return answer
  }

  /** TLS with the host itself: what goes wrong here does so as it would without a proxy. */
  function secure(
    socket: Socket,
    target: Target,
    { key, isKept }: RoutedWay,
    to: AddressKind,
    guard: Guard,
  ): Promise<Connected> {
    const openedAtMs = clock.nowMs()
    return new Promise(tell => {
      const fail = (error: unknown): void =>
        tell(brokenAt('handshake', error instanceof Error ? error : new Error(String(error))))
      try {
        // Somebody who comes anew each time must not be known again by a session of TLS.
        const secured = tls.open({ ...target, onlyHttp1: true }, { socket }, isKept ? key : null)
        secured
          .on('error', fail)
          .once('close', () => fail(new Error('the connection was closed')))
          .once('secureConnect', () =>
            tell({ kind: 'connected', socket: secured, to, tlsMs: clock.nowMs() - openedAtMs }),
          )
        guard.whenCut(cut => {
          tell(cutOf(cut))
          secured.destroy()
        })
      } catch (thrown) {
        fail(thrown)
      }
    })
  }

  return async (target, way, reach, guard) => {
    const { route } = way
    const goal = await goalOf(target.host, route, reach, guard)
    if (goal.kind !== 'goal') return goal
    const { protocol, host, port } = route.proxy
    const proxy: Target = { isSecure: protocol === 'https', host, port, onlyHttp1: true }
    const reached = await connect(proxy, 'any', guard)
    if (reached.kind !== 'connected') return notReached(route, reached)
    const { to } = goal
    if (way.isForwarded) return { ...reached, to }
    const tunnel = await negotiate(reached.socket, { ...target, host: goal.host }, route, guard)
    if (tunnel.kind === 'open' && !target.isSecure) return { ...reached, to }
    const connected = tunnel.kind === 'open' ? await secure(reached.socket, target, way, to, guard) : tunnel
    // A proxy over TLS has had a handshake of its own.
    if (connected.kind === 'connected') return { ...connected, tlsMs: (connected.tlsMs ?? 0) + (reached.tlsMs ?? 0) }
    reached.socket.destroy()
    return tunnel.kind === 'open' ? blamed(route, tunnel, connected) : connected
  }
}

/** A tunnel that spoke no TLS, after its proxy had declared a page: it was the page. */
function blamed(route: Route, { doubtfulStatus }: Open, how: Without): Without {
  if (doubtfulStatus === null || how.kind !== 'broken') return how
  const detail = `answered CONNECT with ${doubtfulStatus} and a page of its own`
  return faultOf(route, { failure: 'refused', status: doubtfulStatus, detail })
}
