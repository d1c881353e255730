/** Nobody mistypes a longer name, and the distance of two of them is quadratic in their lengths. */
const longestName = 100

/**
 * The candidate that `name` was probably meant to be, or null when none is close: for "did you mean" in messages about
 * a typo. Distance is that of optimal string alignment (insert, delete, replace, swap of neighbours; Damerau 1964),
 * without regard to case; up to a third of the name may be wrong. Of equals the first wins.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > longestName) return null
  const sought = name.toLowerCase()
  let found: string | null = null
  let best = Math.max(1, Math.floor(sought.length / 3)) + 1
  for (const candidate of candidates) {
    const written = candidate.toLowerCase()
    // Cheaper than a distance that could not win.
    if (Math.abs(written.length - sought.length) >= best) continue
    const distance = distanceOf(sought, written)
    if (distance < best) {
      best = distance
      found = candidate
    }
  }
  return found
}

function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
