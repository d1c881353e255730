import type { Task } from '../core/task.ts'
import { createFingerprintSet, type FingerprintSet } from './stores/fingerprint-set.ts'

/**
 * Keys of the URLs that belong to a session. Their ids begin with it, so that whoever has a URL alone cannot ask a store
 * for them. Costs nothing in a run without sessions.
 */
export interface SessionKeys {
  add(task: Task): void
  has(key: string): boolean
}

/** Of the URL a task is at: its id without the session that stands before it. */
export const keyOfId = (id: string, session: string | null): string =>
  session === null ? id : id.slice(session.length + 1)

export function createSessionKeys(): SessionKeys {
  let keys: FingerprintSet | null = null
  return {
    add({ id, session }) {
      if (session === null) return
      keys ??= createFingerprintSet()
      keys.add(keyOfId(id, session))
    },
    has: key => keys?.has(key) ?? false,
  }
}
