import { z } from 'zod'
import { nearest } from '../core/nearest.ts'
import { durationMs, durationPattern } from './duration.ts'

/**
 * Building blocks of the job's schema. Each carries the text of what it accepts, so that every message can say it:
 * zod's own words name the machinery ("expected int") and not what to write.
 */

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

export function didYouMean(name: string, candidates: readonly string[]): string | null {
  const found = nearest(name, candidates)
  return found === null ? null : `did you mean \`${found}\`?`
}

/** Which of the known names was probably meant, or else all of them. */
export const knownHint = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `known here: ${quoted(known)}`

function unknownKey(key: string, known: readonly string[], later: readonly string[]): string {
  if (later.includes(key)) return `\`${key}\` is not supported by this version; leave it out`
  return `unknown key \`${key}\`; ${knownHint(key, known)}`
}

/**
 * An object that refuses keys it does not know, with one line of message for each of them in the order of the keys.
 * @param later keys of the job format that this version cannot honour: refused by name rather than as a typo
 */
export const closed = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  accepted: string,
  later: readonly string[] = [],
) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => unknownKey(key, Object.keys(shape), later)).join('\n')
        : accepted,
  })

export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names, more = '') =>
  z.enum(names, {
    error: ({ input }) => {
      const hint = typeof input === 'string' && names.length > 1 ? didYouMean(input, names) : null
      return `${names.length === 1 ? quoted(names) : `one of ${quoted(names)}`}${more}${hint === null ? '' : `; ${hint}`}`
    },
  })

export const flag = z.boolean('true or false')

export function wholeNumber(min: number, max: number, accepted = `a whole number from ${min} to ${max}`) {
  return z.int(accepted).min(min, accepted).max(max, accepted)
}

export function positiveNumber(max: number, unit = '') {
  const accepted = `a number${unit} above 0, at most ${max}`
  return z.number(accepted).positive(accepted).max(max, accepted)
}

export const text = (accepted: string) => z.string(accepted).min(1, accepted)

export const listOf = <Element extends z.ZodType>(element: Element, accepted: string) => z.array(element, accepted)

/** Alternatives of which at most one fits the type of a value, so that the message can follow that one. */
export const either = <const Options extends readonly [z.ZodType, ...z.ZodType[]]>(
  options: Options,
  accepted: string,
) => z.union(options, { error: accepted })

/** A day: no honest delay, deadline or wait of one URL is longer. */
export const longestMs = 86_400_000

/** A time with its unit, as milliseconds. */
export const duration = (min: number, max: number, accepted: string) =>
  z
    .string(accepted)
    .regex(durationPattern, accepted)
    .transform((written, context) => {
      const ms = durationMs(written)
      if (ms !== null && ms >= min && ms <= max) return ms
      context.issues.push({ code: 'custom', message: accepted, input: written })
      return z.NEVER
    })

export const millisecondsText = (min: number, max: number): string =>
  `a whole number of milliseconds from ${min} to ${max}, or a time with its unit: 500ms, 90s, 2m, 1h`

/** Milliseconds, or a time with its unit. */
export function milliseconds(min: number, max = longestMs) {
  const accepted = millisecondsText(min, max)
  return either([wholeNumber(min, max, accepted), duration(min, max, accepted)], accepted)
}

/** @param examples sizes that make sense where it stands */
export function bytesOrSize(max: number, examples: string) {
  const accepted = `bytes as a whole number, or with a unit: ${examples}`
  return either([wholeNumber(1, max), text(accepted)], accepted)
}
