import type { Connection } from './connection.ts'
import type { Guard } from './guard.ts'

/** The right to have one connection to an origin in use. */
export interface Place extends Disposable {
  /** An open connection that nobody uses, the one used last first: it is the least likely to be closed. */
  takeIdle(fits: (connection: Connection) => boolean): Connection | null
  /** Leaves a connection for the next one, if it is still good for one. */
  keep(connection: Connection): void
}

export interface PoolStats {
  /** Origins that are remembered at all. */
  readonly origins: number
  readonly open: number
  readonly idle: number
}

/**
 * Connections by origin. An origin is remembered only while it has a connection or somebody waits for one, and idle
 * connections have a ceiling over all origins: any number of one-shot hosts leaves nothing behind.
 */
export interface Pool {
  readonly stats: PoolStats
  /** A place at once, null when the origin is at its bound. */
  take(origin: string): Place | null
  /** Waits for one; null when the guard cut before. First come, first served. */
  wait(origin: string, guard: Guard): Promise<Place | null>
  /** To be told of each connection that was opened, and again when it closed. */
  opened(connection: Connection): void
  closed(connection: Connection): void
  /** Closes every connection; resolves when their sockets are gone. */
  close(): Promise<void>
}

export interface PoolOptions {
  /** Bound of connections per origin. */
  readonly connections: number
  /** Bound of idle connections over all origins; the one idle longest goes first. */
  readonly idleConnections: number
}

interface Origin {
  readonly name: string
  inUse: number
  /** Used last comes last. */
  readonly idle: Connection[]
  readonly waiting: Set<() => void>
}

export function createPool(options: PoolOptions): Pool {
  const origins = new Map<string, Origin>()
  const open = new Set<Connection>()
  /** Over all origins, idle longest first. */
  const idle = new Set<Connection>()

  function originOf(name: string): Origin {
    let origin = origins.get(name)
    if (origin === undefined) {
      origin = { name, inUse: 0, idle: [], waiting: new Set() }
      origins.set(name, origin)
    }
    return origin
  }

  function forgetIfEmpty(origin: Origin): void {
    if (origin.inUse === 0 && origin.idle.length === 0 && origin.waiting.size === 0) origins.delete(origin.name)
  }

  function dropIdle(connection: Connection): void {
    const origin = origins.get(connection.origin)
    if (!idle.delete(connection) || origin === undefined) return
    origin.idle.splice(origin.idle.indexOf(connection), 1)
    forgetIfEmpty(origin)
  }

  function keep(origin: Origin, connection: Connection): void {
    if (!connection.isOpen) return
    origin.idle.push(connection)
    idle.add(connection)
    for (const longest of idle) {
      if (idle.size <= options.idleConnections) break
      dropIdle(longest)
      void longest.close()
    }
  }

  function leave(origin: Origin): void {
    origin.inUse -= 1
    const [next] = origin.waiting
    if (next !== undefined) {
      origin.waiting.delete(next)
      next()
    }
    forgetIfEmpty(origin)
  }

  function placeOn(origin: Origin): Place {
    origin.inUse += 1
    let left = false
    return {
      takeIdle(fits) {
        const at = origin.idle.findLastIndex(fits)
        const [connection = null] = at < 0 ? [] : origin.idle.splice(at, 1)
        if (connection !== null) idle.delete(connection)
        return connection
      },
      keep: connection => keep(origin, connection),
      [Symbol.dispose]() {
        if (!left) leave(origin)
        left = true
      },
    }
  }

  return {
    get stats() {
      return { origins: origins.size, open: open.size, idle: idle.size }
    },
    take(name) {
      const origin = originOf(name)
      return origin.inUse < options.connections ? placeOn(origin) : null
    },
    wait(name, guard) {
      const origin = originOf(name)
      return new Promise(resolve => {
        const go = (): void => resolve(placeOn(origin))
        origin.waiting.add(go)
        guard.whenCut(() => {
          if (origin.waiting.delete(go)) resolve(null)
        })
      })
    },
    opened: connection => void open.add(connection),
    closed(connection) {
      open.delete(connection)
      dropIdle(connection)
    },
    async close() {
      await Promise.all([...open].map(connection => connection.close()))
    },
  }
}
