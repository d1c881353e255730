import type { z } from 'zod'
import { MillraceError } from '../core/errors.ts'
import { textWithoutCredentials } from '../core/url.ts'

/** Where a value stands in a job, from the outside in. */
export type Path = readonly PropertyKey[]

/** `pages[1].item.price`, and `hosts["books.test"].max` where a key is no plain name. `--set` reads the same. */
export const pathText = (path: Path): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (!/^[A-Za-z_$][\w$-]*$/.test(String(key))) return `[${JSON.stringify(String(key))}]`
      return `${index === 0 ? '' : '.'}${String(key)}`
    })
    .join('')

/** What stands behind the port in `host:port:user:password`, the line that proxies are sold as. */
const soldCredentials = /(:\d{1,5}:)(?:\\.|[^"\s\\:])+:(?:\\.|[^"\s\\])+/g

/** A value as a message shows it: on one line, without the credentials of URLs and proxies in it, and cut where it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'number') return String(value)
  let text: string
  try {
    text = JSON.stringify(value) ?? typeof value
  } catch {
    text = `a ${typeof value} that is no plain data`
  }
  text = textWithoutCredentials(text).replace(soldCredentials, '$1...')
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}

/** All that is wrong with one job, so that it can be mended in one go. */
export interface Problems {
  /** `accepted` is what could stand there instead. */
  refuse(path: Path, value: unknown, accepted: string): void
  /** A finished sentence about the place. */
  say(path: Path, sentence: string): void
  /** A finished line, its place included. */
  line(text: string): void
  /** Runs `check`, and takes the CONFIG_INVALID that it may throw as a problem. Null: it threw. */
  attempt<T>(check: () => T): T | null
  /** Takes what zod found, and returns `input` without it, so that the rest can be checked further. */
  issues(issues: readonly z.core.$ZodIssue[], input: unknown): unknown
  /** @throws CONFIG_INVALID with every problem on a line of its own, unless there are none */
  throwIfAny(file: string): void
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key]
  }
  return value
}

const refusal = (value: unknown, accepted: string): string =>
  `${value === undefined ? 'is missing' : `${shown(value)} is not accepted`}; expected ${accepted}`

const placed = (path: Path, sentence: string): string =>
  path.length === 0 ? sentence : `${pathText(path)}: ${sentence}`

/** A copy of `input` without the value at `path`; shares all that is not on the way there. */
function without(input: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return undefined
  if (Array.isArray(input)) return input.map((element, index) => (index === key ? without(element, rest) : element))
  if (typeof input !== 'object' || input === null) return input
  const entries = Object.entries(input)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key))
  return Object.fromEntries(entries.map(([name, value]) => [name, name === key ? without(value, rest) : value]))
}

/**
 * Of a union's alternatives, the one that takes values of this type: what it says of the value is the message.
 * An enumeration reports any value alike, so it is meant only where there is text.
 */
const alternativeMeant = (
  issue: z.core.$ZodIssueInvalidUnion,
  value: unknown,
): readonly z.core.$ZodIssue[] | undefined =>
  issue.errors.find(issues =>
    issues.every(
      ({ path, code }) =>
        path.length > 0 || (code !== 'invalid_type' && (code !== 'invalid_value' || typeof value === 'string')),
    ),
  )

export function createProblems(): Problems {
  const lines: string[] = []
  /** Where zod found something: that a value is missing there later on is no problem of the job. */
  const pruned: Path[] = []
  const touchesPruned = (path: Path): boolean =>
    pruned.some(other => path.every((key, index) => index >= other.length || key === other[index]))
  function sayShape(path: Path, sentence: string): void {
    problems.line(placed(path, sentence))
    // A list without one of its elements would give the others wrong places.
    const lastKey = path.findLastIndex(key => typeof key === 'string')
    pruned.push(path.slice(0, lastKey + 1))
  }
  function takeIssue(issue: z.core.$ZodIssue, outer: Path, input: unknown): void {
    const path = [...outer, ...issue.path]
    if (issue.code === 'invalid_union') {
      const meant = alternativeMeant(issue, valueAt(input, path))
      if (meant !== undefined) {
        for (const inner of meant) takeIssue(inner, path, input)
        return
      }
    }
    if (issue.code === 'unrecognized_keys') {
      for (const [index, sentence] of issue.message.split('\n').entries())
        sayShape([...path, issue.keys[index] ?? ''], sentence)
      return
    }
    const value = valueAt(input, path)
    sayShape(path, refusal(value, issue.message))
  }
  const problems: Problems = {
    refuse(path, value, accepted) {
      problems.say(path, refusal(value, accepted))
    },
    say(path, sentence) {
      if (!touchesPruned(path)) problems.line(placed(path, sentence))
    },
    line(text) {
      // Keys may be URLs too.
      const shownText = textWithoutCredentials(text)
      if (!lines.includes(shownText)) lines.push(shownText)
    },
    attempt(check) {
      try {
        return check()
      } catch (thrown) {
        if (!(thrown instanceof MillraceError) || thrown.code !== 'CONFIG_INVALID') throw thrown
        for (const text of thrown.message.split('\n')) problems.line(text)
        return null
      }
    },
    issues(issues, input) {
      for (const issue of issues) takeIssue(issue, [], input)
      return pruned.reduce(without, input)
    },
    throwIfAny(file) {
      if (lines.length === 0) return
      const [first = ''] = lines
      const text =
        lines.length === 1 ? first : [`${lines.length} problems`, ...lines.map(line => `  ${line}`)].join('\n')
      throw new MillraceError('CONFIG_INVALID', `${file}: ${text}`)
    },
  }
  return problems
}
