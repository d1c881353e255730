import type { Socket } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import type { AddressKind } from '../address.ts'
import type { Connection } from '../connection.ts'
import type { Connected } from '../connector.ts'
import type { Guard } from '../guard.ts'
import { createSession, type Session } from './session.ts'

/**
 * Sessions by origin. Requests to an origin share its session as far as that has room; only then there is another one.
 * While somebody connects to an origin that may speak HTTP/2 the others wait for what comes of it: a hundred requests
 * that begin together are one connection, where the host can do that.
 */
export interface Sessions {
  /**
   * A stream on a session that is there already or is being made, or else the call to make one: others wait from this
   * moment on, until it is disposed.
   */
  join(origin: string, fits: (to: AddressKind) => boolean, guard: Guard): Promise<Connection | Opening>
  /** The first stream on a fresh socket that speaks HTTP/2; null where it does not. */
  adopt(origin: string, connected: Extract<Connected, { kind: 'connected' }>): Connection | null
  /** An origin that does not want HTTP/2. */
  refuse(origin: string): void
  isRefused(origin: string): boolean
  readonly open: number
  /** Resolves when every socket is gone. */
  close(): Promise<void>
}

export interface SessionsOptions {
  readonly clock: Clock
  /** Bound of idle sessions over all origins; the one idle longest goes first. */
  readonly idleSessions: number
  readonly onStreamClosed: (connection: Connection) => void
}

/** Somebody connects to an origin; disposing says that this is over, whatever came of it. */
export interface Opening extends Disposable {
  readonly kind: 'opening'
}

/** Origins that are remembered to speak HTTP/1.1. */
const manyOrigins = 10_000

const speaksH2 = (socket: Socket): boolean => 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'

export function createSessions({ clock, idleSessions, onStreamClosed }: SessionsOptions): Sessions {
  const byOrigin = new Map<string, Set<Session>>()
  const open = new Set<Session>()
  /** Idle longest comes first. */
  const idle = new Set<Session>()
  /** Handshakes under way, to be waited for. */
  const openings = new Map<string, Set<PromiseWithResolvers<void>>>()
  const refused = new Set<string>()
  const plain = new Set<string>()

  function remember(list: Set<string>, origin: string): void {
    list.delete(origin)
    list.add(origin)
    for (const oldest of list) {
      if (list.size <= manyOrigins) break
      list.delete(oldest)
    }
  }

  function retired(session: Session): void {
    idle.delete(session)
    const sessions = byOrigin.get(session.origin)
    sessions?.delete(session)
    if (sessions?.size === 0) byOrigin.delete(session.origin)
  }

  function used(session: Session): void {
    idle.delete(session)
    if (session.inUse > 0 || !session.hasRoom) return
    idle.add(session)
    for (const longest of idle) {
      if (idle.size <= idleSessions) break
      void longest.close()
    }
  }

  function find(origin: string, fits: (to: AddressKind) => boolean): Connection | null {
    for (const session of byOrigin.get(origin) ?? []) if (session.hasRoom && fits(session.to)) return session.open()
    return null
  }

  function begin(origin: string): Opening {
    const mine = Promise.withResolvers<void>()
    const all = openings.get(origin) ?? new Set()
    openings.set(origin, all.add(mine))
    return {
      kind: 'opening',
      [Symbol.dispose]() {
        all.delete(mine)
        if (all.size === 0 && openings.get(origin) === all) openings.delete(origin)
        mine.resolve()
      },
    }
  }

  return {
    async join(origin, fits, guard) {
      const cut = Promise.withResolvers<void>()
      let isCut = false
      guard.whenCut(() => {
        isCut = true
        cut.resolve()
      })
      for (;;) {
        const stream = find(origin, fits)
        const [opening] = openings.get(origin) ?? []
        if (stream !== null) return stream
        if (opening === undefined || plain.has(origin) || isCut) return begin(origin)
        await Promise.race([opening.promise, cut.promise])
      }
    },
    adopt(origin, connected) {
      if (!speaksH2(connected.socket)) {
        remember(plain, origin)
        return null
      }
      plain.delete(origin)
      const settling = begin(origin)
      const session = createSession(origin, connected, {
        clock,
        onReady: () => settling[Symbol.dispose](),
        onUse: used,
        onRetired: retired,
        onClosed: gone => void open.delete(gone),
        onStreamClosed,
      })
      open.add(session)
      const sessions = byOrigin.get(origin) ?? new Set()
      byOrigin.set(origin, sessions.add(session))
      return session.open()
    },
    refuse: origin => remember(refused, origin),
    isRefused: origin => refused.has(origin),
    get open() {
      return open.size
    },
    async close() {
      await Promise.all([...open].map(session => session.close()))
    },
  }
}
