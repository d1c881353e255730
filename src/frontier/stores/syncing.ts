import type { Clock } from '../../core/clock.ts'

/**
 * When commits reach the disk itself. A commit is in the hands of the system at once, which is all that the death of a
 * process asks for; it is synced within `syncedWithinMs`, which is all that a power loss can take back. Syncing each one
 * would cost a wait for the disk per batch, several times a second, for the sake of pages that are fetched again in as
 * little time.
 */
export interface Syncing extends Disposable {
  /** A commit is about to be made: true for one that is to be synced itself, and all before it with it. */
  begin(): boolean
}

export const syncedWithinMs = 1_000

/** @param sync brings to the disk what was committed before */
export function createSyncing(clock: Clock, sync: () => void): Syncing {
  let syncedAtMs = Number.NEGATIVE_INFINITY
  let timer: Disposable | null = null

  function end(): void {
    timer?.[Symbol.dispose]()
    timer = null
  }

  function syncLate(): void {
    timer = null
    syncedAtMs = clock.nowMs()
    try {
      sync()
    } catch {
      // A disk that is full or gone is told by the next commit, which has somebody to hear of it, and is synced itself.
      syncedAtMs = Number.NEGATIVE_INFINITY
    }
  }

  return {
    begin() {
      const nowMs = clock.nowMs()
      if (nowMs - syncedAtMs >= syncedWithinMs) {
        end()
        syncedAtMs = nowMs
        return true
      }
      timer ??= clock.after(syncedAtMs + syncedWithinMs - nowMs, syncLate)
      return false
    },
    [Symbol.dispose]: end,
  }
}
