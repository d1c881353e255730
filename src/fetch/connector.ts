import { X509Certificate } from 'node:crypto'
import { isIP, connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net'
import { createSecureContext, getCACertificates, connect as openSecure, type SecureContext } from 'node:tls'
import { MillraceError } from '../core/errors.ts'
import { type Ending, noProgress, type Stage } from './ending.ts'
import type { Guard } from './guard.ts'
import { lookup } from './lookup.ts'

/** Where a connection leads. */
export interface Target {
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

export type Connected =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | Extract<Ending, { kind: 'broken' | 'cut' }>

/**
 * One connection, ready for the first byte of a request: name resolved, TCP and TLS established. Whatever comes in
 * between, such as a proxy, is another function of this type. Never tries twice.
 */
export type Connect = (target: Target, guard: Guard) => Promise<Connected>

export interface ConnectorOptions {
  /** Certificates in PEM that are trusted beside the usual ones. */
  readonly ca?: string | readonly string[]
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

/** @throws CONFIG_INVALID for certificates that are none. */
export function createConnector(options: ConnectorOptions): Connect {
  const ca = [options.ca ?? []].flat()
  checkCertificates(ca)
  const contextOf = createContextOf(ca)

  function open({ isSecure, host, port }: Target): Socket {
    const tcp: TcpNetConnectOpts = {
      host,
      port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressMs,
      noDelay: true,
      keepAlive: true,
    }
    if (!isSecure) return openPlain(tcp)
    const servername = serverNameOf(host)
    return openSecure({ ...tcp, servername, secureContext: contextOf(), ALPNProtocols: ['http/1.1'] })
  }

  return (target, guard) =>
    new Promise(resolve => {
      let stage: Stage = isIP(target.host) === 0 ? 'lookup' : 'connect'
      const fail = (error: Error): void =>
        resolve({ kind: 'broken', stage, error, isEnded: false, progress: noProgress })
      let socket: Socket
      try {
        socket = open(target)
      } catch (thrown) {
        return fail(thrown instanceof Error ? thrown : new Error(String(thrown)))
      }
      socket
        .on('error', fail)
        .once('close', () => fail(new Error('the connection was closed')))
        .once('lookup', error => {
          if (!error) stage = 'connect'
        })
        .once('connect', () => {
          stage = 'handshake'
          if (!target.isSecure) resolve({ kind: 'connected', socket })
        })
        .once('secureConnect', () => resolve({ kind: 'connected', socket }))
      guard.whenCut(cut => {
        resolve({ kind: 'cut', cut, progress: noProgress })
        socket.destroy()
      })
    })
}
