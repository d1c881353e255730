import { once } from 'node:events'
import { createServer as createPlain, type Server, type Socket } from 'node:net'
import { createServer as createSecure } from 'node:tls'

/** A request as its bytes came in. */
export interface RawRequest {
  readonly head: string
  readonly path: string
  /** Which request of its connection, from 0. */
  readonly at: number
  /** Which connection of the server, from 0. */
  readonly connection: number
  /** The address of ours that it came to. */
  readonly to: string
  readonly socket: Socket
}

/** A server that sends exactly the bytes it is told to, on a port of its own. */
export interface RawServer extends AsyncDisposable {
  readonly port: number
  readonly requests: readonly RawRequest[]
  /** Sockets accepted in all. */
  readonly connections: number
  /** Sockets that are open now. */
  readonly open: number
  url(path?: string, host?: string): string
  /** Resolves when no socket is open any more. */
  idle(): Promise<void>
}

/** Bytes, or pieces of Latin-1 text, to be sent at once; or whatever the function does with the socket. */
export type RawAnswer = string | Uint8Array | ((request: RawRequest) => string | Uint8Array | undefined)

export interface RawOptions {
  readonly answer: RawAnswer
  /** End the connection after each answer. */
  readonly close?: boolean
  /** Keep no list of requests, where there are very many of them. */
  readonly forgets?: boolean
  /** Address to listen on. Default: 127.0.0.1. */
  readonly listenOn?: string
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Sees a socket before any request. */
  readonly accept?: (socket: Socket) => void
}

export async function createRawServer(given: RawAnswer | RawOptions): Promise<RawServer> {
  const options: RawOptions = typeof given === 'object' && !(given instanceof Uint8Array) ? given : { answer: given }
  const { answer } = options
  const sockets = new Set<Socket>()
  const requests: RawRequest[] = []
  const whenIdle = new Set<() => void>()
  let connections = 0

  function reply(request: RawRequest): void {
    if (options.forgets !== true) requests.push(request)
    const bytes = typeof answer === 'function' ? answer(request) : answer
    if (bytes !== undefined) request.socket.write(bytes, 'latin1')
    if (options.close === true) request.socket.end()
  }

  function serve(socket: Socket): void {
    const connection = connections
    connections += 1
    sockets.add(socket)
    // A client that hangs up is what many tests are about.
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const tell of whenIdle) tell()
    })
    options.accept?.(socket)
    const to = socket.localAddress ?? ''
    let received = ''
    let at = 0
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end)
        received = received.slice(end + 4)
        reply({ head, path: head.split(' ')[1] ?? '', at, connection, to, socket })
        at += 1
      }
    })
  }

  const server: Server =
    options.tls === undefined ? createPlain(serve) : createSecure({ ...options.tls }, socket => serve(socket))
  server.on('tlsClientError', () => {})
  server.listen(0, options.listenOn ?? '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  return {
    port,
    requests,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    url: (path = '/', host = '127.0.0.1') => `${options.tls === undefined ? 'http' : 'https'}://${host}:${port}${path}`,
    idle: () =>
      new Promise(resolve => {
        if (sockets.size === 0) resolve()
        else whenIdle.add(resolve)
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A whole answer with its length: what a healthy server sends. */
export function answerOf(body: string, headers: readonly string[] = [], status = '200 OK'): string {
  const length = Buffer.byteLength(body, 'latin1')
  return [`HTTP/1.1 ${status}`, `Content-Length: ${length}`, ...headers, '', body].join('\r\n')
}
