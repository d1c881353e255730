/** The first with the smallest value; undefined for none. */
export function leastBy<T>(candidates: readonly T[], measure: (candidate: T) => number): T | undefined {
  let least: T | undefined
  let leastValue = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const value = measure(candidate)
    if (least !== undefined && value >= leastValue) continue
    least = candidate
    leastValue = value
  }
  return least
}
