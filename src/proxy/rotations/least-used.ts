import { leastBy } from './least-by.ts'
import type { Rotation } from './rotation.ts'

/** The one with the fewest attempts under way, of those the one with the fewest in all, both by its weight. */
export const leastUsed: Rotation = candidates => {
  const idlest = leastBy(candidates, ({ inFlight, weight }) => inFlight / weight)
  if (idlest === undefined) return undefined
  const fewest = idlest.inFlight / idlest.weight
  return leastBy(
    candidates.filter(({ inFlight, weight }) => inFlight / weight === fewest),
    ({ uses, weight }) => uses / weight,
  )
}
