import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

let collect: Collect | null = null

/** Only a context that is made while the flag is set has the function; a user's code is not to see it. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc')
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}

/** All garbage of this thread, with the memory of its arrays, at once: 10 ms and more. */
export function collectGarbage(): void {
  collect ??= exposed()
  // Any other flavour leaves some arrays for the next time.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
