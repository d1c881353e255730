import { refuse } from '../check-problem.ts'

/** What the keys of structured fields have in common. */

/** @throws CONFIG_INVALID it is neither left out nor true or false */
export function checkAll(all: unknown, path: string): boolean {
  if (all === undefined) return false
  return typeof all === 'boolean' ? all : refuse(`${path}.all`, all, 'true for all there are, or false for the first')
}

/** @throws CONFIG_INVALID it is none of these names; left out, it is the first of them */
export function checkChoice(value: unknown, path: string, names: readonly string[]): string {
  if (value === undefined) return names[0] ?? ''
  if (typeof value === 'string' && names.includes(value)) return value
  return refuse(path, value, names.join(', '), { typo: typeof value === 'string' ? value : '', names })
}
