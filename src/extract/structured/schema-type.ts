import type { JsonValue } from '../../core/wire.ts'
import { refuse } from '../check-problem.ts'

/**
 * Names of types as pages write them. One that is written as a word (`Product`) fits any vocabulary: `Product`,
 * `schema:Product`, `https://schema.org/Product`. One that is written as a URL fits that URL alone, whether http or https.
 * Neither minds letter case.
 */
export type TypeTest = (types: JsonValue | undefined) => boolean

const isFull = (type: string): boolean => /[:/#]/.test(type)
const full = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replace(/^http:/, 'https:')
const word = (type: string): string => full(type).replace(/^.*[:/#]/s, '')

/** @throws CONFIG_INVALID it is neither left out nor a name or a list of names */
export function checkTypes(type: unknown, path: string): readonly string[] {
  if (type === undefined) return []
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  const isName = (name: unknown): name is string => typeof name === 'string' && name.trim() !== ''
  if (names.length === 0 || !names.every(isName))
    return refuse(path, type, 'the name of a type, such as Product, or a list of such names')
  return names
}

export function createTypeTest(names: readonly string[]): TypeTest {
  const fulls = new Set(names.filter(isFull).map(full))
  const words = new Set(names.filter(name => !isFull(name)).map(word))
  const fits = (type: JsonValue): boolean =>
    typeof type === 'string' && (words.has(word(type)) || fulls.has(full(type)))
  return types => (Array.isArray(types) ? types.some(fits) : types !== undefined && fits(types))
}
