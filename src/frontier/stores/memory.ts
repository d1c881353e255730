import { createKnownIds } from './known-ids.ts'
import type { TaskStore } from './store.ts'

/**
 * Lives as long as the process: no earlier one left anything to load, and a commit has no one to tell. What it does
 * keep is the set of ids, which is most of a frontier's memory in a long run.
 */
export function memory(): TaskStore {
  const ids = createKnownIds()
  return {
    get known() {
      return ids.size
    },
    has: ids.has,
    hasKey: ids.hasKey,
    put: tasks => tasks.filter(ids.add),
    load: async () => [],
    commit: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
