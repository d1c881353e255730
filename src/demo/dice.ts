/** Chance that can be replayed: the same seed gives the same shop, on any machine. */
export interface Dice {
  /** In [0, 1). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True in `share` of all cases. */
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** `count` different members, in an order of their own. */
  sample<T>(from: readonly T[], count: number): T[]
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for a shop. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  function pick<T>(from: readonly T[]): T {
    const index = Math.floor(next() * from.length)
    return from[index] as T
  }
  return {
    next,
    between,
    chance: share => next() < share,
    pick,
    sample(from, count) {
      const left = [...from]
      return Array.from({ length: Math.min(count, from.length) }, () =>
        left.splice(Math.floor(next() * left.length), 1),
      ).flat()
    },
  }
}

/** A seed of its own for each thing that is made, so that changing one leaves the others as they were. */
export const seedOf = (seed: number, kind: string, index: number): number =>
  [...kind].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b),
  ) >>> 0
