import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8's optimising compiler (TurboFan) wait for longer, in a process that is all ours, before it has read its first
 * module.
 *
 * Each thread compiles what it runs for itself, and starts with nothing. The first sixty pages that a user's module
 * reads in a thread, its start left out, cost a fifth less CPU with this, and those after them no more. What is hot in
 * a long run is optimised all the same. Where threads are killed again and again, less is left of that:
 * `bench/hostile.ts`.
 *
 * V8 reads the count at each decision, so that it holds as soon as it is set. Compiled code is kept with the flags that
 * it was compiled under: set before Node has looked for any, they are the same in all threads and at each start.
 *
 * @param options that the process was started with: whoever has set the count is left alone
 */
export function delayOptimiser(options: readonly string[]): void {
  if (options.some(option => countOption.test(option))) return
  setFlagsFromString(`--invocation-count-for-turbofan=${leastCalls}`)
}

/** V8 takes either sign between words. */
const countOption = /^--invocation[-_]count[-_]for[-_]turbofan(?:=|$)/

/** Of a function before it is optimised. V8's own is 3,000. 100,000 differed from this by no more than runs differ. */
const leastCalls = 40_000
