import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Reach } from '../core/task.ts'
import { type AddressKind, addressKind } from './address.ts'
import { type Ending, noProgress, type Stage } from './ending.ts'
import type { Guard } from './guard.ts'
import { createIntake, createIntakeMemory, type Intake } from './intake.ts'
import { createResolver, type Lookup, type Resolved, type Resolver } from './resolver.ts'
import type { Target } from './target.ts'
import { createTls, type Tls, type TlsOptions } from './tls.ts'

type Without = Extract<Ending, { kind: 'broken' | 'cut' | 'barred' | 'proxy-failed' }>

export type Connected =
  | {
      readonly kind: 'connected'
      readonly socket: Socket
      readonly to: AddressKind
      /** Where the socket is read through one. */
      readonly intake?: Intake
      /** How long the TLS handshake took. Left out: there was none, or nobody measured it. */
      readonly tlsMs?: number
    }
  | Without

/**
 * One connection, ready for the first byte of a request: name resolved, TCP and TLS established. Whatever comes in
 * between, such as a proxy, is another function of this type. Never tries twice.
 */
export type Connect = (target: Target, reach: Reach, guard: Guard) => Promise<Connected>

export interface ConnectorOptions extends TlsOptions {
  readonly clock: Clock
  /** Shared with those who connect in other ways; instead of one of its own, with `ca` and `http2`. */
  readonly tls?: Tls
  /** Instead of the system's. */
  readonly lookup?: Lookup
  /** Shared with those who must know where connections lead; instead of one of its own, with `lookup`. */
  readonly resolver?: Resolver
  /** Whose an address is; strangers may send us to public ones. Default: as the registries say. */
  readonly kindOf?: (address: string) => AddressKind
}

/** Node gives up an address after this time for the next one of the name; the last one has the whole limit. */
const addressMs = 500

/** A lookup whose answer is there already: the addresses that were judged are those that are gone to. */
const answerWith =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses
    queueMicrotask(() => {
      if (all === true) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })
  }

export const brokenAt = (stage: Stage, error: Error): Without => ({
  kind: 'broken',
  stage,
  error,
  isEnded: false,
  progress: noProgress,
})

/** @throws CONFIG_INVALID for certificates that are none. */
export function createConnector(options: ConnectorOptions): Connect {
  const { kindOf = addressKind } = options
  const tls = options.tls ?? createTls(options)
  const resolver = options.resolver ?? createResolver(options)
  const memory = createIntakeMemory()

  function resolve(host: string, guard: Guard): Promise<Resolved | Without> {
    const family = isIP(host)
    if (family !== 0) return Promise.resolve({ kind: 'resolved', addresses: [{ address: host, family }] })
    return new Promise(tell => {
      guard.whenCut(cut => tell({ kind: 'cut', cut, progress: noProgress }))
      void resolver.resolve(host).then(tell)
    })
  }

  function open(target: Target, addresses: readonly LookupAddress[], { onread }: Intake): Socket {
    const { host, port } = target
    const tcp: TcpNetConnectOpts = {
      host,
      port,
      onread,
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressMs,
      noDelay: true,
      keepAlive: true,
    }
    return target.isSecure ? tls.open(target, tcp, '') : openPlain(tcp)
  }

  function establish(target: Target, addresses: readonly LookupAddress[], guard: Guard): Promise<Connected> {
    return new Promise(tell => {
      let stage: Stage = 'connect'
      const fail = (how: Without): void => {
        // What a name stands for may have changed since it was asked for.
        if (stage === 'connect') resolver.forget(target.host)
        tell(how)
      }
      const intake = createIntake(memory)
      let openedAtMs = 0
      const done = (): void => {
        const tlsMs = target.isSecure ? options.clock.nowMs() - openedAtMs : 0
        tell({ kind: 'connected', socket, to: kindOf(socket.remoteAddress ?? ''), intake, tlsMs })
      }
      let socket: Socket
      try {
        socket = open(target, addresses, intake)
        intake.attach(socket)
      } catch (thrown) {
        return fail(brokenAt(stage, thrown instanceof Error ? thrown : new Error(String(thrown))))
      }
      socket
        .on('error', error => fail(brokenAt(stage, error)))
        .once('close', () => fail(brokenAt(stage, new Error('the connection was closed'))))
        .once('connect', () => {
          stage = 'handshake'
          openedAtMs = options.clock.nowMs()
          if (!target.isSecure) done()
        })
        .once('secureConnect', done)
      guard.whenCut(cut => {
        fail({ kind: 'cut', cut, progress: noProgress })
        socket.destroy()
      })
    })
  }

  return async (target, reach, guard) => {
    const resolved = await resolve(target.host, guard)
    if (resolved.kind === 'unresolved') return brokenAt('lookup', resolved.error)
    if (resolved.kind !== 'resolved') return resolved
    const { addresses } = resolved
    const allowed = reach === 'any' ? addresses : addresses.filter(({ address }) => kindOf(address) === 'public')
    if (allowed.length === 0) return { kind: 'barred', addresses: addresses.map(({ address }) => address) }
    return establish(target, allowed, guard)
  }
}
