import { nodeOptions } from './node-options.ts'

/** V8 takes either sign between words. */
const semiSpaceOption = /^--(?:m(?:in|ax)[-_])?semi[-_]space[-_]/

/** Whether somebody has said how large young generations are. */
export const setsYoung = (options: readonly string[]): boolean => options.some(option => semiSpaceOption.test(option))

/**
 * The bound of a young generation, for the `resourceLimits` of a thread: none where whoever started the process has set
 * one of their own, which V8 takes for all threads. A maximum of theirs would win over this one, a minimum would not.
 */
export const youngLimit = (
  megabytes: number,
  options: readonly string[] = nodeOptions(),
): { readonly maxYoungGenerationSizeMb?: number } => (setsYoung(options) ? {} : { maxYoungGenerationSizeMb: megabytes })
