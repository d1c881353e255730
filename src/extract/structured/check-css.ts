import { hint, invalid, refuse, shown } from '../check-problem.ts'
import { checkSelector } from '../selector.ts'

/**
 * A selector of a structured field; null where none is written.
 * @throws CONFIG_INVALID with the place in the selector from which on it cannot be read
 */
export function checkCss(selector: unknown, path: string): string | null {
  if (selector === undefined) return null
  if (typeof selector !== 'string' || selector.trim() === '') return refuse(path, selector, 'a CSS selector')
  const problem = checkSelector(selector)
  if (problem === null) return selector
  const { index, reason, nearest } = problem
  const rest = selector.slice(index, index + 30)
  const place = `position ${index + 1}, ${rest === '' ? 'its end' : shown(rest)}`
  throw invalid(
    `${path}: ${shown(selector)} is not a selector: ${reason}, at ${place}${hint(nearest === null ? null : `:${nearest}`)}`,
  )
}
