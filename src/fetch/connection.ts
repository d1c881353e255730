import { Client, type Dispatcher } from 'undici'
import type { AddressKind } from './address.ts'
import type { Connected } from './connector.ts'

/**
 * One socket that speaks HTTP/1.1, for one request at a time. undici's `Client` does the speaking; it is handed an
 * established socket and may not open another one, so that a connection is never renewed behind our back.
 */
export interface Connection {
  /** What it is kept by: its origin, and where it leads over a proxy all that makes it somebody's. */
  readonly origin: string
  /** Whose the address is at its other end. */
  readonly to: AddressKind
  readonly isOpen: boolean
  /** The other side has said that it sends no more. */
  readonly isEnded: boolean
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void
  /** The head of the final answer is in, and so many bytes of body are declared to follow; 0 where none are. */
  expectBody(bytes: number): void
  /** Resolves when the socket is gone. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  /** undici's own timers, as a net below ours: coarse, on real time, and restarted by every byte. */
  readonly netMs: number
  /** What it is kept by, where that is not the origin. */
  readonly key?: string
}

/** Room for heads that browsers accept too; beyond it an answer is a flood. */
const headBytes = 2 ** 16

/** Most servers close an idle connection after 5 s or more: leave first, and the race for it is rare. */
const idleMs = 4_000

/** What a server may ask for in `Keep-Alive: timeout=`. */
const longestIdleMs = 60_000

/** One for all: undici would make errors for each connection that ends, and a stack costs more than closing does. */
const gone = new Error('the connection was closed')

export function createConnection(
  origin: string,
  { socket, to, intake }: Omit<Extract<Connected, { kind: 'connected' }>, 'kind'>,
  options: ConnectionOptions,
  closed: (connection: Connection) => void,
): Connection {
  let lost: Error | null = null
  let isGiven = false

  const client = new Client(origin, {
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headBytes,
    headersTimeout: options.netMs,
    bodyTimeout: options.netMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: longestIdleMs,
    connect(_, callback) {
      // Not in this call: undici is still in the middle of asking and would not go on with its queue.
      if (isGiven) queueMicrotask(() => callback(new Error('the connection is gone', { cause: lost }), null))
      else queueMicrotask(() => callback(null, socket))
      isGiven = true
    },
  })

  const connection: Connection = {
    origin: options.key ?? origin,
    to,
    get isOpen() {
      return !socket.destroyed && !client.destroyed
    },
    get isEnded() {
      return socket.readableEnded
    },
    dispatch(request, handler) {
      intake?.expectHead()
      client.dispatch(request, handler)
    },
    expectBody: bytes => intake?.expectBody(bytes),
    async close() {
      const ended = client.destroy(gone)
      // Before its first request the client does not have the socket yet.
      socket.destroy()
      await ended
    },
  }
  socket.on('error', error => {
    lost = error
  })
  socket.once('close', () => {
    closed(connection)
    void client.destroy(lost ?? gone)
  })
  return connection
}
