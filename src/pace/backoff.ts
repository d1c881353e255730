/**
 * Decorrelated jitter (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015):
 *
 *     wait(n) = min(longest, uniform(shortest, 3 wait(n - 1))),   wait(0) = shortest
 *
 * Of the jitters compared there it spreads the tries of many clients over time as well as full jitter, and never
 * draws a wait of nearly nothing. A task does not remember its last wait, so the chain is run anew for each try: the
 * waits have the same law, and there is no state to keep.
 */
export interface BackoffOptions {
  readonly shortestMs: number
  readonly longestMs: number
}

/** By then the chain has long forgotten where it began. */
const longestChain = 16

/** How long to wait after failure number `failures`, counted from 1. */
export function backoffMs(failures: number, { shortestMs, longestMs }: BackoffOptions, random: () => number): number {
  let waitMs = shortestMs
  for (let n = 0; n < Math.min(failures, longestChain); n += 1) {
    waitMs = Math.min(longestMs, shortestMs + random() * (3 * waitMs - shortestMs))
  }
  return waitMs
}
