import { MillraceError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'

/** How the checks of a schema say no: the path in the job, the value, what is accepted, and the nearest name. */

export interface Lookup {
  readonly typo: string
  readonly names: readonly string[]
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const invalid = (message: string): MillraceError => new MillraceError('CONFIG_INVALID', message)

export const hint = (meant: string | null): string => (meant === null ? '' : `; did you mean ${shown(meant)}?`)

/** @throws CONFIG_INVALID always */
export function refuse(path: string, value: unknown, accepted: string, lookup?: Lookup): never {
  const said = value === undefined ? 'is missing' : `${shown(value)} is not accepted`
  const meant = lookup === undefined ? null : nearest(lookup.typo, lookup.names)
  throw invalid(`${path}: ${said}; expected ${accepted}${hint(meant)}`)
}

/** On one line, and cut where it is long. */
export function shown(value: unknown): string {
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    text = 'a map inside itself'
  }
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
