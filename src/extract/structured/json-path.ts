import type { JSONPathQuery, JSONValue } from 'json-p3'
import { messageOf } from '../../core/errors.ts'
import { linearRegexOf } from '../../core/linear-regex.ts'
import type { JsonValue } from '../../core/wire.ts'
import { invalid, refuse, shown } from '../check-problem.ts'
import { jsonPathLibrary } from './library.ts'

/**
 * JSONPath (RFC 9535) over a value. A path that can name one place only (`$.offers.price`, `$['a'][0]`; the standard calls
 * it singular) gives what is there, or null. Any other (`[*]`, slices, filters, `..`) gives a list, also of one or none:
 * so the shape of a field is known from the job alone.
 */
export type JsonSelect = (value: JsonValue) => JsonValue

const maxLength = 2_000

/** Values nest deeper on hostile pages only; `..` visits them with a function that calls itself. */
const maxDepth = 512

let environment: ReturnType<typeof createEnvironment> | null = null

function createEnvironment() {
  const { FunctionExpressionType, JSONPathEnvironment } = jsonPathLibrary()
  const made = new JSONPathEnvironment({ maxRecursionDepth: maxDepth })
  // The library's own test with the engine of the language, which some patterns keep busy for hours.
  for (const [name, test] of [
    ['match', testOf('fits')],
    ['search', testOf('test')],
  ] as const)
    made.functionRegister.set(name, {
      argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
      returnType: FunctionExpressionType.LogicalType,
      call: test,
    })
  return made
}

/** Patterns stand in the path, so they are few; where they come from the page they are not remembered. */
const rememberedPatterns = 100

function testOf(how: 'fits' | 'test'): (text: unknown, pattern: unknown) => boolean {
  const tests = new Map<string, (text: string) => boolean>()
  return (text, pattern) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false
    const test = tests.get(pattern) ?? regexTest(pattern, how)
    if (tests.size < rememberedPatterns) tests.set(pattern, test)
    return test(text)
  }
}

/** A pattern that is none finds nothing, as the standard wants it. */
function regexTest(pattern: string, how: 'fits' | 'test'): (text: string) => boolean {
  try {
    const linear = linearRegexOf(pattern, 'u')
    if (linear !== null) return linear[how]
    const native = new RegExp(how === 'fits' ? `^(?:${pattern})$` : pattern, 'u')
    return text => native.test(text)
  } catch {
    return () => false
  }
}

function compile(path: string): JSONPathQuery {
  environment ??= createEnvironment()
  return environment.compile(path)
}

/**
 * A path of the job that can be used; null where none is written.
 * @throws CONFIG_INVALID with the place in the path from which on it cannot be read
 */
export function checkJsonPath(path: unknown, at: string): string | null {
  if (path === undefined) return null
  if (typeof path !== 'string' || path.trim() === '' || path.length > maxLength)
    return refuse(at, path, `a JSONPath of at most ${maxLength} characters, such as $.offers[*].price`)
  try {
    compile(path)
    return path
  } catch (thrown) {
    throw invalid(`${at}: ${shown(path)} is not a JSONPath: ${reasonOf(thrown, path)}`)
  }
}

function reasonOf(thrown: unknown, path: string): string {
  const { JSONPathError } = jsonPathLibrary()
  if (!(thrown instanceof JSONPathError)) return messageOf(thrown)
  const index = Math.min(thrown.token.index, path.length)
  const rest = path.slice(index, index + 30)
  // The library ends its messages with the text before the place.
  const reason = thrown.message.replace(/ \('[\s\S]*':\d+\)$/, '').replace(/\s+/g, ' ')
  return `${reason}, at position ${index + 1}, ${rest === '' ? 'its end' : shown(rest)}`
}

/** @param path what `checkJsonPath` gave; null: all of the value */
export function createJsonSelect(path: string | null): JsonSelect {
  if (path === null) return value => value
  const query = compile(path)
  const isSingular = query.singularQuery()
  return value => {
    const found = valuesOf(query, value)
    return isSingular ? (found[0] ?? null) : found
  }
}

function valuesOf(query: JSONPathQuery, value: JsonValue): readonly JsonValue[] {
  try {
    return query.query(value as JSONValue).values() as readonly JsonValue[]
  } catch (thrown) {
    if (thrown instanceof jsonPathLibrary().JSONPathRecursionLimitError) return []
    throw thrown
  }
}

/** Of the first value that there is, or of all in one list. */
export function selectFrom(values: Iterable<JsonValue>, select: JsonSelect, isAll: boolean): JsonValue {
  if (isAll) {
    const lists = Iterator.from(values).map(select)
    return [...lists].flat().filter(found => found !== null)
  }
  for (const value of values) return select(value)
  return null
}
