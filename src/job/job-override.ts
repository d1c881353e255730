import { parseDocument } from 'yaml'
import { MillraceError } from '../core/errors.ts'
import { type Path, pathText, shown } from './problems.ts'

/** A value to put into a job before it is checked: what `--set limits.inFlight=10` says. */
export interface JobOverride {
  /** `limits.inFlight`, `pages[1].item.price.type`, `hosts["books.test"].max`. */
  readonly path: string
  /** A YAML value on one line: `10`, `same-domain`, `[500, 1500]`, `{ policy: fixed, max: 4 }`. */
  readonly value: string
}

const refuse = (sentence: string): MillraceError => new MillraceError('CONFIG_INVALID', `--set ${sentence}`)

/** @throws CONFIG_INVALID it is no path */
function parsePath(text: string): Path {
  const path: PropertyKey[] = []
  const step = /(?:^|\.)([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y
  while (step.lastIndex < text.length || path.length === 0) {
    const found = step.exec(text)
    if (found === null)
      throw refuse(
        `${text}: this is no path; expected one such as limits.inFlight, pages[0].follow or hosts["books.test"].max`,
      )
    const [, name, index, quoted] = found
    path.push(index === undefined ? (name ?? String(JSON.parse(quoted ?? '""'))) : Number(index))
  }
  return path
}

/** @throws CONFIG_INVALID it is no YAML value */
function parseValue({ path, value }: JobOverride): unknown {
  const document = parseDocument(value, { prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) throw refuse(`${path}: ${shown(value)} is no YAML value (${error.message})`)
  return document.toJS() as unknown
}

/** A copy with `value` at the end of the path, with maps made where nothing is; never writes into what it was given. */
function put(target: unknown, [key, ...rest]: Path, value: unknown, passed: Path): unknown {
  if (key === undefined) return value
  const here = passed.length === 0 ? 'the job' : pathText(passed)
  if (typeof key === 'number') {
    if (!Array.isArray(target) || key > target.length)
      throw refuse(
        `${pathText([...passed, key])}: ${here} is ${Array.isArray(target) ? `a list of ${target.length}` : 'no list'}`,
      )
    const list: unknown[] = [...target]
    list[key] = put(list[key], rest, value, [...passed, key])
    return list
  }
  if (target !== undefined && target !== null && (typeof target !== 'object' || Array.isArray(target)))
    throw refuse(`${pathText([...passed, key])}: ${here} is ${shown(target)}, which has no keys`)
  const entries = new Map<PropertyKey, unknown>(Object.entries(target ?? {}))
  entries.set(key, put(entries.get(key), rest, value, [...passed, key]))
  return Object.fromEntries(entries)
}

/** @throws CONFIG_INVALID a path or a value cannot be read, or the path leads through something without keys */
export const overrideJob = (input: unknown, overrides: readonly JobOverride[]): unknown =>
  overrides.reduce((job, override) => put(job, parsePath(override.path), parseValue(override), []), input)
