import { MillraceError } from '../core/errors.ts'

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
