import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8's optimising compiler (TurboFan) wait for longer, in a process that is all ours, before it has read its first module.
 *
 * Each thread compiles what it runs for itself, and starts with nothing. In its first hundred pages TurboFan costs as much as
 * reading some twenty of them, and many functions are compiled twice, since the first pages are not like those that follow.
 * What Maglev, the quicker compiler, makes of them runs nearly as fast; and what is hot in a long run gets there all the same.
 *
 * V8 reads the count at each decision, so that it holds as soon as it is set. Compiled code is kept with the flags that it was
 * compiled under: set before Node has looked for any, they are the same in all threads and at each start.
 */
export function delayOptimiser(): void {
  setFlagsFromString(`--invocation-count-for-turbofan=${calls}`)
}

/** V8's own is 3,000; more than this brings no more. */
const calls = 40_000
