import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

let collect: Collect | null = null

/**
 * Only a context that is made while the flag is set has the function; a user's code is not to see it. A flag is the whole
 * process's: another thread that is here as well may take it back before the context is made.
 */
function exposed(): Collect {
  for (;;) {
    setFlagsFromString('--expose-gc')
    const found: Collect | undefined = runInNewContext('globalThis.gc')
    setFlagsFromString('--no-expose-gc')
    if (found !== undefined) return found
  }
}

/** All garbage of this thread, with the memory of its arrays, at once: 10 ms and more. */
export function collectGarbage(): void {
  collect ??= exposed()
  // Any other flavour leaves some arrays for the next time.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
