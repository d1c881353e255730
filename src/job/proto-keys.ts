import type { Path, Problems } from './problems.ts'

const key = '__proto__'

/** No map of a job is half as deep. */
const deepest = 64

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Where the key stands in a job; what is in there twice, by an alias of YAML, is looked at once. */
function* placesOf(value: unknown, path: Path, seen: Set<unknown>): Generator<Path> {
  if (!isContainer(value) || seen.has(value) || path.length > deepest) return
  seen.add(value)
  for (const [name, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(name) : name]
    if (name === key) yield place
    yield* placesOf(inner, place, seen)
  }
}

/**
 * Refuses the key `__proto__` wherever it stands. In maps of free names, such as `headers`, zod would leave it out
 * without a word; of other maps it says as much by itself.
 */
export function checkProtoKeys(input: unknown, problems: Problems): void {
  for (const path of placesOf(input, [], new Set()))
    problems.say(path, `no map of a job has the key \`${key}\`; rename it`)
}
