import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that few jobs need, loaded when it is first used: each takes a start, of the process and of every worker thread,
 * from 5 to 100 ms. By `require`, for code that is synchronous from end to end.
 */
export function lateLibrary<T extends object>(name: string): () => T {
  let loaded: T | null = null
  return () => {
    loaded ??= require(name) as T
    return loaded
  }
}
