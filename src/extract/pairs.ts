import type { JsonValue } from '../core/wire.ts'

/** What several names have been found to be, each once or more often. */
export type Pairs = Map<string, string[]>

export function addPair(pairs: Pairs, name: string, value: string): void {
  const values = pairs.get(name)
  if (values === undefined) pairs.set(name, [value])
  else values.push(value)
}

/** One value is a string, several are a list. A name that objects have a meaning for is one like any other. */
export const pairsOf = (pairs: Pairs): JsonValue =>
  Object.fromEntries(Array.from(pairs, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
