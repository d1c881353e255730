import type { Answer } from './cache.ts'
import { directivesOf } from './cache-control.ts'
import { varyNames } from './selection.ts'
import { conditionsOf } from './validators.ts'

/**
 * How a cache is meant.
 *
 *     revalidate  as HTTP has it (RFC 9111, a private cache): fresh answers are used, others are asked about
 *     reuse       while selectors are written: what was fetched once is used as it is, and its host left alone
 */
export type CacheMode = 'revalidate' | 'reuse'

/** Answers that may be kept without a word of their host (RFC 9110, 15.1), of those that end a URL or lead it on. */
const keptUnasked = new Set([200, 203, 204, 301, 308, 404, 405, 410, 414])
/** These only where their host says for how long. */
const keptWhenTold = new Set([302, 303, 307])

/** Final for their URL: no trouble of the moment, and nothing that another identity would be spared. */
const isFinal = (status: number): boolean =>
  (status >= 200 && status < 300 && status !== 206) || [301, 302, 303, 307, 308, 404, 410].includes(status)

/** A digest is made of each header that it names: no site names so many, and a flood of them would hold up all others. */
const mostVaryNames = 50

type Kept = Pick<Answer, 'status' | 'headers'>

/** Whether HTTP allows it to be used again, asked about or not: RFC 9111, 3. */
export function mayBeKept({ status, headers }: Kept): boolean {
  const directives = directivesOf(headers['cache-control'])
  // Who understands the status may pass over a no-store that is meant for the others (RFC 9111, 5.2.2.3).
  if (directives.has('no-store') && !directives.has('must-understand')) return false
  if (varyNames(headers.vary).includes('*')) return false
  const hasLife = directives.has('max-age') || headers.expires !== undefined
  if (keptWhenTold.has(status)) return hasLife
  return keptUnasked.has(status) && (hasLife || conditionsOf(headers).length > 0)
}

/**
 * Whether an answer is stored. In `reuse` whatever is final, as its host has it or not: it is a recording for the one who
 * made it, and pages that forbid it are most of those that selectors are written for.
 *
 * @param isForJar a cookie jar wants the cookies it sets. HTTP would let later runs go without them
 */
export function isWorthKeeping(mode: CacheMode, answer: Answer, isForJar: boolean): boolean {
  if (varyNames(answer.headers.vary).length > mostVaryNames) return false
  if (mode === 'reuse') return isFinal(answer.status)
  return mayBeKept(answer) && !(isForJar && answer.setCookies.length > 0)
}
