import type { WaitCause } from '../core/waits.ts'

/** What was waited for, as the end of a sentence. */
export const waitedForWords: Readonly<Record<WaitCause, string>> = {
  hostSlot: 'requests under way at the same host',
  rate: 'spacing or a rate',
  pause: 'hosts that were in trouble or asked to be left alone',
  robots: 'robots files',
  proxy: 'a proxy that is up and free',
  pageBudget: 'limits.pageBudgetBytes',
  parse: 'worker threads',
  inFlight: 'limits.inFlight',
  turn: 'the main thread',
}
