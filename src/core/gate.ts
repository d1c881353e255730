import { MillraceError } from './errors.ts'
import type { HostKey } from './url.ts'

/**
 * The house idiom: a gate never queues and never waits. It says when a call could succeed, and gives one grant.
 * Both calls are synchronous, so nothing can come between the question and the taking.
 */
export interface Gate<Grant extends Disposable> {
  /** Earliest time a call could succeed. At most now: open. Infinity: only a returned grant can open it. No side effect. */
  readyAtMs(host: HostKey): number
  /** Takes one. Precondition: open. @throws INVARIANT otherwise. */
  acquire(host: HostKey): Grant
}

export type Grants<G> = { readonly [K in keyof G]: G[K] extends Gate<infer T> ? T : never } & Disposable

function giveBack(grants: Iterable<Disposable>): void {
  for (const grant of grants) grant[Symbol.dispose]()
}

/** Ready when all are; takes all in the order given, or gives back what it took and throws. */
export function allOf<G extends { readonly [name: string]: Gate<Disposable> }>(gates: G): Gate<Grants<G>> {
  const entries = Object.entries(gates)
  return {
    readyAtMs(host) {
      let latestMs = 0
      for (const [, gate] of entries) latestMs = Math.max(latestMs, gate.readyAtMs(host))
      return latestMs
    },
    acquire(host) {
      const taken: Record<string, Disposable> = {}
      try {
        for (const [name, gate] of entries) taken[name] = gate.acquire(host)
      } catch (thrown) {
        giveBack(Object.values(taken))
        throw thrown
      }
      return { ...taken, [Symbol.dispose]: () => giveBack(Object.values(taken)) } as unknown as Grants<G>
    },
  }
}

/** A release that happens once, however often it is called. */
export function once(release: () => void): () => void {
  let released = false
  return () => {
    if (released) return
    released = true
    release()
  }
}

/** @throws INVARIANT unless the gate called `name` is open. */
export function mustBeOpen(readyAtMs: number, nowMs: number, name: string, host: HostKey): void {
  if (readyAtMs > nowMs) throw new MillraceError('INVARIANT', `${name} was entered for ${host} while it was closed`)
}
