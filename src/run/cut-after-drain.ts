import { onAbort } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import type { Stop } from '../crawl/crawl.ts'

const graceMs = 2_000

/** What is under way when a run is stopped has as long as one request may take, and a little. */
export function cutAfterDrain({ drain, cut }: Stop, clock: Clock, requestMs: number): Disposable {
  let timer: Disposable | null = null
  const start = (): void => {
    timer = clock.after(requestMs + graceMs, () => cut.abort(drain.signal.reason))
  }
  const listening = onAbort(drain.signal, start)
  return {
    [Symbol.dispose]() {
      listening[Symbol.dispose]()
      timer?.[Symbol.dispose]()
    },
  }
}
