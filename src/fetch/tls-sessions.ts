/**
 * TLS sessions by origin, so that a further connection to a host need not shake hands in full: a fraction of the CPU on
 * both sides. The latest is kept, and used until there is another one.
 */
export interface TlsSessions {
  of(origin: string): Buffer | undefined
  keep(origin: string, session: Buffer): void
}

/** Some 2 kB each. */
const manyOrigins = 1_000

export function createTlsSessions(): TlsSessions {
  const sessions = new Map<string, Buffer>()
  return {
    of: origin => sessions.get(origin),
    keep(origin, session) {
      sessions.delete(origin)
      sessions.set(origin, session)
      for (const oldest of sessions.keys()) {
        if (sessions.size <= manyOrigins) break
        sessions.delete(oldest)
      }
    },
  }
}
