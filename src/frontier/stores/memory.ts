import { createFingerprintSet } from './fingerprint-set.ts'
import type { TaskStore } from './store.ts'

/**
 * Lives as long as the process: no earlier one left anything to load, and a commit has no one to tell. What it does
 * keep is the set of ids, which is most of a frontier's memory in a long run.
 */
export function memory(): TaskStore {
  const ids = createFingerprintSet()
  return {
    get known() {
      return ids.size
    },
    has: id => ids.has(id),
    put: tasks => tasks.filter(task => ids.add(task.id)),
    load: async () => [],
    commit: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
