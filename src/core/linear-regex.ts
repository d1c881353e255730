import type { RE2JS } from 're2js'
import { MillraceError } from './errors.ts'
import { lateLibrary } from './late-library.ts'
import { linearSyntaxOf } from './linear-syntax.ts'

/**
 * A regular expression whose time grows with the text and with nothing else: all ways to match are followed at once
 * (Thompson 1968, as in RE2), where JavaScript tries one after the other and may need longer than anybody lives. What a
 * user writes runs this way wherever nothing could stop it, on the main thread above all.
 *
 * It has the results of JavaScript's with the flag `u`, but for groups that a repetition passes several times: they keep
 * what they held last.
 */
export interface LinearRegex {
  readonly source: string
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean
  /** Whether it matches the text from its first to its last character. */
  fits(text: string): boolean
  /** The first match, with its groups. */
  exec(text: string): RegexMatch | null
}

/** What `exec` of a `RegExp` gives as well: the match, then its groups, which are undefined where they took no part. */
export interface RegexMatch extends ReadonlyArray<string | undefined> {
  readonly index: number
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined
}

type Engine = typeof RE2JS

/** What an expression may compile to, in instructions: each is looked at for each character, in the worst case. */
const mostInstructions = 2_000

/** Loaded when the first expression is compiled: most jobs have none. */
const library = lateLibrary<{ readonly RE2JS: Engine }>('re2js')

function compiled(syntax: string): RE2JS | null {
  try {
    const expression = library().RE2JS.compile(syntax)
    return expression.programSize() <= mostInstructions ? expression : null
  } catch {
    return null
  }
}

/**
 * Null where there is no way to do it in linear time: look-around, references to groups, flag `m`, repetitions of more
 * than a thousand.
 * @param flags of JavaScript's `i`, `s`, `u`, `v`
 * @throws CONFIG_INVALID `source` is no regular expression
 */
export function linearRegexOf(source: string, flags = ''): LinearRegex | null {
  try {
    new RegExp(source, flags)
  } catch (cause) {
    throw new MillraceError('CONFIG_INVALID', `${JSON.stringify(source)} is no regular expression`, { cause })
  }
  const syntax = linearSyntaxOf(source, flags)
  const expression = syntax === null ? null : compiled(syntax)
  if (expression === null) return null
  return {
    source,
    test: text => expression.test(text),
    fits: text => expression.testExact(text),
    // Whether there is a match at all is known much sooner than which.
    exec: text => (expression.test(text) ? (expression.exec(text) as RegexMatch | null) : null),
  }
}
