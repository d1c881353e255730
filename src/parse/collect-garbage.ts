import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void

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

/**
 * Garbage of this thread, with the memory of its arrays, at once: most of it in some milliseconds, or all of it, which takes
 * ten times as long and costs compiled code, too.
 */
export function collectGarbage(how: 'most' | 'all'): void {
  collect ??= exposed()
  collect({ type: 'major', execution: 'sync', flavor: how === 'all' ? 'last-resort' : 'regular' })
}
