import { keyOfId, type Task } from '../../core/task.ts'
import { createFingerprintSet, type FingerprintSet } from './fingerprint-set.ts'

/**
 * Which ids were ever put, and the keys of the URLs that belong to a session: their ids begin with it, so that whoever
 * has a URL alone cannot ask for them by id. The keys cost nothing in a run without sessions.
 */
export interface KnownIds {
  readonly size: number
  has(id: string): boolean
  /** True when a task at the URL of this key was added, whatever its session. */
  hasKey(key: string): boolean
  /** True when its id was new. */
  add(task: Task): boolean
  /** What earlier processes added. */
  restore(prints: IdPrints): void
}

/** Fingerprints, in pairs of words. */
export interface IdPrints {
  readonly ids: Int32Array<ArrayBuffer>
  /** Keys of the URLs that belong to a session. */
  readonly sessionKeys: Int32Array<ArrayBuffer>
}

export function createKnownIds(): KnownIds {
  const ids = createFingerprintSet()
  let sessionKeys: FingerprintSet | null = null
  const keysOfSessions = (): FingerprintSet => (sessionKeys ??= createFingerprintSet())
  return {
    get size() {
      return ids.size
    },
    has: id => ids.has(id),
    hasKey: key => ids.has(key) || (sessionKeys?.has(key) ?? false),
    add({ id, session }) {
      if (session !== null) keysOfSessions().add(keyOfId(id, session))
      return ids.add(id)
    },
    restore(prints) {
      ids.addFingerprints(prints.ids)
      if (prints.sessionKeys.length > 0) keysOfSessions().addFingerprints(prints.sessionKeys)
    },
  }
}
