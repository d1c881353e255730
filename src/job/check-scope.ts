import { checkPattern } from '../scope/pattern.ts'
import type { ScopeRules } from '../scope/rules.ts'
import type { JobShape } from './job-shape.ts'
import { type Problems, pathText } from './problems.ts'

const namesItsHosts = (pattern: string): boolean => pattern.includes('://')

/**
 * `include` patterns that are whole URLs say which hosts are meant, so they are not narrowed to those of the seeds as
 * well; in every other case a job stays on the hosts of its seeds until it says otherwise.
 */
const defaultWithin = (include: readonly string[]): ScopeRules['within'] =>
  include.length > 0 && include.every(namesItsHosts) ? 'any' : 'same-host'

export function checkScope(written: JobShape['scope'], problems: Problems): ScopeRules {
  if (written === undefined || typeof written === 'string')
    return { within: written ?? 'same-host', include: [], exclude: [], maxDepth: null }
  const { include = [], exclude = [], maxDepth = null } = written
  for (const [key, patterns] of Object.entries({ include, exclude }))
    for (const [index, pattern] of patterns.entries())
      problems.attempt(() => checkPattern(pattern, pathText(['scope', key, index])))
  return { within: written.within ?? defaultWithin(include), include, exclude, maxDepth }
}
