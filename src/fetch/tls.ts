import { X509Certificate } from 'node:crypto'
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import {
  createSecureContext,
  getCACertificates,
  connect as openSecure,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { MillraceError } from '../core/errors.ts'
import type { Target } from './target.ts'
import { createTlsSessions } from './tls-sessions.ts'

export interface TlsOptions {
  /** Certificates in PEM that are trusted beside the usual ones. */
  readonly ca?: string | readonly string[]
  /** Whether HTTP/2 is offered; which of both it is the socket says (`alpnProtocol`). Default: false. */
  readonly http2?: boolean
}

/** TLS to hosts and to proxies: one set of certificates, and sessions that are gone on with. */
export interface Tls {
  /**
   * Begins a handshake, on a connection of its own or on one that is there.
   * @param as whose session may be gone on with; null: a stranger's, who must not be known again
   */
  open(target: Target, on: TcpNetConnectOpts | { readonly socket: Socket }, as: string | null): TLSSocket
}

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
export function createTls(options: TlsOptions): Tls {
  const ca = [options.ca ?? []].flat()
  checkCertificates(ca)
  const contextOf = createContextOf(ca)
  const sessions = createTlsSessions()

  return {
    open({ host, port, onlyHttp1 }, on, as) {
      const name = as === null ? null : `${host}:${port} ${as}`
      const isOffered = options.http2 === true && onlyHttp1 !== true
      const session = name === null ? undefined : sessions.of(name)
      const socket = openSecure({
        // Names are compared with the certificate: the host's, whatever the connection below leads to.
        host,
        ...on,
        servername: serverNameOf(host),
        secureContext: contextOf(),
        ALPNProtocols: isOffered ? ['h2', 'http/1.1'] : ['http/1.1'],
        ...(session !== undefined && { session }),
      })
      if (name !== null) socket.on('session', fresh => sessions.keep(name, fresh))
      return socket
    },
  }
}
