import type { ClientHttp2Session } from 'node:http2'
import type { Clock } from '../../core/clock.ts'
import type { AddressKind } from '../address.ts'
import type { Connection } from '../connection.ts'
import type { Connected } from '../connector.ts'
import { http2 } from './http2.ts'
import { openStream } from './stream.ts'

/** One socket that speaks HTTP/2: a connection of many requests at a time. */
export interface Session {
  readonly origin: string
  /** Whose the address is at its other end. */
  readonly to: AddressKind
  /** Whether another request may go now. */
  readonly hasRoom: boolean
  /** Its streams under way. */
  readonly inUse: number
  /** The next request's connection. Precondition: there is room. */
  open(): Connection
  /** Resolves when the socket is gone. */
  close(): Promise<void>
}

export interface SessionOptions {
  readonly clock: Clock
  /** Its host has said how many streams it allows, or never will. */
  readonly onReady: () => void
  /** It was used, or ended using: the order of idle ones changes. */
  readonly onUse: (session: Session) => void
  /** Takes no more requests. */
  readonly onRetired: (session: Session) => void
  /** Its socket is gone. */
  readonly onClosed: (session: Session) => void
  /** A stream is gone. */
  readonly onStreamClosed: (connection: Connection) => void
}

/** Bytes that the other side may send ahead of our reading: a far link would else wait for our word after each 64 KiB. */
const streamWindowBytes = 2 ** 20
const sessionWindowBytes = 2 ** 24

/** Room for heads that browsers accept too; beyond it an answer is a flood. Node bounds the bytes; so many of them fit. */
const headBytes = 2 ** 16
const headPairs = 4_000

/** Servers keep idle sessions for a minute and more; a crawl that has no request for so long is elsewhere. */
const idleMs = 10_000

/** Of our own, whatever a server allows: what a connection loses, all of its streams lose. */
const mostStreams = 100

export function createSession(
  origin: string,
  { socket, to }: Pick<Extract<Connected, { kind: 'connected' }>, 'socket' | 'to'>,
  { clock, onReady, onUse, onRetired, onClosed, onStreamClosed }: SessionOptions,
): Session {
  // The first word of a host is how many it allows, and more than that would be refused.
  let allowed = 1
  let inUse = 0
  let isRetired = false
  let idle: Disposable | null = null

  const wire: ClientHttp2Session = http2().connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: streamWindowBytes, maxHeaderListSize: headBytes },
    maxHeaderListPairs: headPairs,
  })

  function retire(): void {
    if (isRetired) return
    isRetired = true
    onRetired(session)
    onReady()
    if (!wire.closed) wire.close()
  }

  function streamEnded(connection: Connection, isSilent: boolean): void {
    inUse -= 1
    // Nothing came in all the time that a request may take: the next one had better go another way.
    if (isSilent) retire()
    onStreamClosed(connection)
    onUse(session)
    if (inUse === 0 && !isRetired) idle = clock.after(idleMs, () => void session.close())
  }

  const session: Session = {
    origin,
    to,
    get inUse() {
      return inUse
    },
    get hasRoom() {
      return !isRetired && !wire.closed && !wire.destroyed && inUse < allowed
    },
    open() {
      idle?.[Symbol.dispose]()
      idle = null
      inUse += 1
      onUse(session)
      return openStream({ origin, to, session: wire, readBytes: () => socket.bytesRead, ended: streamEnded })
    },
    async close() {
      retire()
      if (socket.destroyed && wire.destroyed) return
      const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
      wire.destroy()
      if (!socket.destroyed) await closed
    },
  }

  wire
    .on('connect', () => wire.setLocalWindowSize(sessionWindowBytes))
    .on('remoteSettings', ({ maxConcurrentStreams = mostStreams }) => {
      allowed = Math.min(maxConcurrentStreams, mostStreams)
      onReady()
    })
    .on('goaway', retire)
    // Its streams tell what it means to them.
    .on('error', retire)
    .on('close', () => {
      idle?.[Symbol.dispose]()
      retire()
      onClosed(session)
    })
  return session
}
