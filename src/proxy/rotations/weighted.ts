import type { ExitView, Rotation } from './rotation.ts'

/** The square: one that fails half of its attempts gets a small part of them, not a half. */
const shareOf = ({ weight, score }: ExitView): number => weight * score ** 2

/** By chance, those that do well more often: no order that a site could see, and a bad exit is still tried at times. */
export const weighted: Rotation = (candidates, _, random) => {
  let left = random() * candidates.reduce((sum, candidate) => sum + shareOf(candidate), 0)
  for (const candidate of candidates) {
    left -= shareOf(candidate)
    if (left < 0) return candidate
  }
  return candidates.at(-1)
}
