import { MillraceError } from '../core/errors.ts'
import { knownHint } from '../job/shape.ts'

/** More than any machine has cores; each is a thread with a heap of its own. */
export const mostThreads = 256

/** @throws CONFIG_INVALID `value` is given and is no whole number of the range */
export function checkWhole(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return
  const accepted = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  throw new MillraceError(
    'CONFIG_INVALID',
    `${name}: ${String(value)} is not accepted; expected a whole number ${accepted}`,
  )
}

/**
 * An option that is misspelt would be one that is not given.
 * @param call whose options they are, for the message
 * @param known every option there is, by its name
 * @throws CONFIG_INVALID `options` is no object, or has an option that is none
 */
export function checkNames(call: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null)
    throw new MillraceError('CONFIG_INVALID', `${call}: the options are ${typeof options}; expected an object`)
  const unknown = Object.keys(options).find(name => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const hint = knownHint(unknown, Object.keys(known))
  throw new MillraceError('CONFIG_INVALID', `${call}: unknown option \`${unknown}\`; ${hint}`)
}
