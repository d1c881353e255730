import { ADDRCONFIG, type LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import type { Clock } from '../core/clock.ts'

export type Resolved =
  | { readonly kind: 'resolved'; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: 'unresolved'; readonly error: Error }

/**
 * Addresses of names, each asked for once at a time and kept for a moment: a thousand requests to one host are one
 * question. What is returned is what a connection goes to, so that it can be judged first.
 */
export interface Resolver {
  resolve(host: string): Promise<Resolved>
  /** Its addresses were of no use: ask anew. */
  forget(host: string): void
  /** Names that are remembered. */
  readonly size: number
}

/** Every address of a name. Rejects where there is none. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

export interface ResolverOptions {
  readonly clock: Clock
  readonly lookup?: Lookup
  /** Names that are remembered; the oldest is forgotten. Default: 10,000. */
  readonly maxNames?: number
}

/** The system does not tell how long an answer holds. The names of most sites live for a minute at least. */
const resolvedForMs = 60_000
/** That there is no such name is said on good authority. */
const unknownForMs = 30_000
/** A resolver in trouble may be back at once: only those who ask together share its answer. */
const brokenForMs = 1_000
const manyNames = 10_000

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host)

/** By the system, as other programs do: hosts file, then resolver, leaving out families that this machine has not. */
const askSystem: Lookup = host =>
  systemLookup(host, { all: true, hints: process.platform === 'win32' ? 0 : ADDRCONFIG })

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

const isUnknown = (error: Error): boolean => 'code' in error && error.code === 'ENOTFOUND'

function lifeMs(resolved: Resolved): number {
  if (resolved.kind === 'resolved') return resolvedForMs
  return isUnknown(resolved.error) ? unknownForMs : brokenForMs
}

interface Entry {
  readonly answer: Promise<Resolved>
  /** Infinity while it is being asked for. */
  untilMs: number
}

export function createResolver({ clock, lookup = askSystem, maxNames = manyNames }: ResolverOptions): Resolver {
  const entries = new Map<string, Entry>()

  async function ask(host: string): Promise<Resolved> {
    try {
      const addresses = await lookup(host)
      if (addresses.length > 0) return { kind: 'resolved', addresses }
      return { kind: 'unresolved', error: new Error(`${host} has no address`) }
    } catch (thrown) {
      return { kind: 'unresolved', error: errorOf(thrown) }
    }
  }

  function remember(host: string): Entry {
    const entry: Entry = { answer: ask(host), untilMs: Number.POSITIVE_INFINITY }
    void entry.answer.then(resolved => {
      entry.untilMs = clock.nowMs() + lifeMs(resolved)
    })
    entries.delete(host)
    entries.set(host, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxNames) break
      entries.delete(oldest)
    }
    return entry
  }

  return {
    async resolve(host) {
      // RFC 6761, 6.3: `localhost` and all below it never leave the machine, so that no resolver can send them elsewhere.
      if (isLocalName(host)) return { kind: 'resolved', addresses: loopback }
      const known = entries.get(host)
      return (known !== undefined && clock.nowMs() < known.untilMs ? known : remember(host)).answer
    },
    forget: host => void entries.delete(host),
    get size() {
      return entries.size
    },
  }
}
