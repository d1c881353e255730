import { X509Certificate } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net'
import { createSecureContext, getCACertificates, connect as openSecure, type SecureContext } from 'node:tls'
import type { Clock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Reach } from '../core/task.ts'
import { type AddressKind, addressKind } from './address.ts'
import { type Ending, noProgress, type Stage } from './ending.ts'
import type { Guard } from './guard.ts'
import { createResolver, type Lookup, type Resolved } from './resolver.ts'
import { createTlsSessions } from './tls-sessions.ts'

/** Where a connection leads. */
export interface Target {
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

type Without = Extract<Ending, { kind: 'broken' | 'cut' | 'barred' }>

export type Connected = { readonly kind: 'connected'; readonly socket: Socket; readonly to: AddressKind } | Without

/**
 * One connection, ready for the first byte of a request: name resolved, TCP and TLS established. Whatever comes in
 * between, such as a proxy, is another function of this type. Never tries twice.
 */
export type Connect = (target: Target, reach: Reach, guard: Guard) => Promise<Connected>

export interface ConnectorOptions {
  readonly clock: Clock
  /** Certificates in PEM that are trusted beside the usual ones. */
  readonly ca?: string | readonly string[]
  /** Instead of the system's. */
  readonly lookup?: Lookup
  /** Whose an address is; strangers may send us to public ones. Default: as the registries say. */
  readonly kindOf?: (address: string) => AddressKind
}

/** Node gives up an address after this time for the next one of the name; the last one has the whole limit. */
const addressMs = 500

/** @throws CONFIG_INVALID: OpenSSL would skip what it cannot read without a word. */
function checkCertificates(ca: readonly string[]): void {
  for (const [at, text] of ca.entries())
    try {
      new X509Certificate(text)
    } catch (cause) {
      throw new MillraceError('CONFIG_INVALID', `tls.ca[${at}] is no certificate; accepted: PEM`, { cause })
    }
}

/** Made once and late: reading all the usual certificates takes some 25 ms. */
function createContextOf(ca: readonly string[]): () => SecureContext {
  let context: SecureContext | null = null
  return () => {
    context ??= createSecureContext(ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] })
    return context
  }
}

/** No name for an address: SNI has none (RFC 6066, 3). */
const serverNameOf = (host: string): string => (isIP(host) === 0 ? host.replace(/\.$/, '') : '')

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

const brokenAt = (stage: Stage, error: Error): Without => ({
  kind: 'broken',
  stage,
  error,
  isEnded: false,
  progress: noProgress,
})

/** @throws CONFIG_INVALID for certificates that are none. */
export function createConnector(options: ConnectorOptions): Connect {
  const { kindOf = addressKind } = options
  const ca = [options.ca ?? []].flat()
  checkCertificates(ca)
  const contextOf = createContextOf(ca)
  const resolver = createResolver(options)
  const sessions = createTlsSessions()

  function resolve(host: string, guard: Guard): Promise<Resolved | Without> {
    const family = isIP(host)
    if (family !== 0) return Promise.resolve({ kind: 'resolved', addresses: [{ address: host, family }] })
    return new Promise(tell => {
      guard.whenCut(cut => tell({ kind: 'cut', cut, progress: noProgress }))
      void resolver.resolve(host).then(tell)
    })
  }

  function open({ isSecure, host, port }: Target, addresses: readonly LookupAddress[]): Socket {
    const tcp: TcpNetConnectOpts = {
      host,
      port,
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressMs,
      noDelay: true,
      keepAlive: true,
    }
    if (!isSecure) return openPlain(tcp)
    const origin = `${host}:${port}`
    const session = sessions.of(origin)
    const tls = { servername: serverNameOf(host), secureContext: contextOf(), ALPNProtocols: ['http/1.1'] }
    const socket = openSecure({ ...tcp, ...tls, ...(session !== undefined && { session }) })
    return socket.on('session', fresh => sessions.keep(origin, fresh))
  }

  function establish(target: Target, addresses: readonly LookupAddress[], guard: Guard): Promise<Connected> {
    return new Promise(tell => {
      let stage: Stage = 'connect'
      const fail = (how: Without): void => {
        // What a name stands for may have changed since it was asked for.
        if (stage === 'connect') resolver.forget(target.host)
        tell(how)
      }
      const done = (): void => tell({ kind: 'connected', socket, to: kindOf(socket.remoteAddress ?? '') })
      let socket: Socket
      try {
        socket = open(target, addresses)
      } catch (thrown) {
        return fail(brokenAt(stage, thrown instanceof Error ? thrown : new Error(String(thrown))))
      }
      socket
        .on('error', error => fail(brokenAt(stage, error)))
        .once('close', () => fail(brokenAt(stage, new Error('the connection was closed'))))
        .once('connect', () => {
          stage = 'handshake'
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
