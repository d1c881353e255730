import { once } from 'node:events'
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2'
import type { Server as TlsServer } from 'node:https'
import { createServer, type TLSSocket } from 'node:tls'
import { cert, key } from '../fetch/certificates.ts'

export interface H2Server extends AsyncDisposable {
  readonly port: number
  url(path?: string): string
  readonly sessions: readonly ServerHttp2Session[]
  /** Requests under way at the same time, at most. */
  readonly peak: number
  readonly requests: number
}

const portOf = (server: Pick<TlsServer, 'address'>): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A server of Node's own, on a port of its own. */
export async function createH2Server(
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  options: SecureServerOptions = {},
): Promise<H2Server> {
  const sessions: ServerHttp2Session[] = []
  let inFlight = 0
  let peak = 0
  let requests = 0
  const server = createSecureServer({ key, cert, ...options }, (request, response) => {
    requests += 1
    inFlight += 1
    peak = Math.max(peak, inFlight)
    response.once('close', () => {
      inFlight -= 1
    })
    response.on('error', () => {})
    answer(request, response)
  })
  server.on('session', session => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('sessionError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    url: (path = '/') => `https://localhost:${portOf(server)}${path}`,
    sessions,
    get peak() {
      return peak
    },
    get requests() {
      return requests
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

const frameTypes = { data: 0, headers: 1, rst: 3, settings: 4, ping: 6, goaway: 7, window: 8, continuation: 9 }

/** RFC 9113, 4.1. */
export function frame(type: keyof typeof frameTypes, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = frameTypes[type]
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** `:status: 200` of the static table (RFC 7541, A). */
export const okHeaders = Buffer.from([0x88])

export interface RawStream {
  readonly socket: TLSSocket
  readonly stream: number
  /** Which request of its connection, from 0. */
  readonly at: number
  readonly connection: number
}

export interface RawH2Server extends AsyncDisposable {
  url(path?: string): string
  readonly connections: number
  readonly open: number
}

/** Speaks just enough HTTP/2 to misbehave in it: settings, and what it is told to do with each request. */
export async function createRawH2Server(
  onRequest: (stream: RawStream) => void,
  onConnect: (socket: TLSSocket) => void = socket => void socket.write(frame('settings', 0, 0, Buffer.alloc(0))),
): Promise<RawH2Server> {
  const sockets = new Set<TLSSocket>()
  let connections = 0
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, socket => {
    const connection = connections
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    onConnect(socket)
    let received = Buffer.alloc(0)
    let at = 0
    let isGreeted = false
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (!isGreeted && received.length >= 24) {
        isGreeted = true
        received = received.subarray(24)
      }
      while (isGreeted && received.length >= 9) {
        const bytes = received.readUIntBE(0, 3)
        if (received.length < 9 + bytes) return
        if (received[3] === frameTypes.headers)
          onRequest({ socket, stream: received.readUInt32BE(5), at: at++, connection })
        received = received.subarray(9 + bytes)
      }
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: (path = '/') => `https://localhost:${portOf(server as unknown as TlsServer)}${path}`,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
