/** Sums of logarithms, made as they are needed. */
const logFactorials: number[] = [0]

function logFactorial(n: number): number {
  for (let k = logFactorials.length; k <= n; k += 1) logFactorials.push((logFactorials[k - 1] ?? 0) + Math.log(k))
  return logFactorials[n] ?? 0
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/** Something that was seen `hits` times among `trials`. */
export interface Tally {
  readonly hits: number
  readonly trials: number
}

/**
 * Fisher's exact test, one-sided (R. A. Fisher, "On the interpretation of chi-squared from contingency tables", 1922):
 * how likely `one` has so many hits or more by chance, if its hits are as frequent as those of `others`.
 *
 *     p = sum over k >= one.hits of C(n, k) C(m, h - k) / C(n + m, h)
 *
 *     n, m   trials of the two      h   hits of both together
 *
 * Exact for the handful of trials that there are when it matters, where approximations by a normal law are not.
 */
export function chanceOf(one: Tally, others: Tally): number {
  const hits = one.hits + others.hits
  const trials = one.trials + others.trials
  const all = logChoose(trials, hits)
  let chance = 0
  for (let k = one.hits; k <= Math.min(one.trials, hits); k += 1) {
    if (hits - k > others.trials) continue
    chance += Math.exp(logChoose(one.trials, k) + logChoose(others.trials, hits - k) - all)
  }
  return Math.min(1, chance)
}
