import { linearRegexOf } from '../core/linear-regex.ts'
import type { JsonValue } from '../core/wire.ts'
import type { PageContext } from './fields/field-type.ts'
import { fieldTypes } from './fields/index.ts'
import { spaced } from './fields/text.ts'
import type { FoundLink } from './links.ts'
import { factOf } from './page-facts.ts'
import type { ReadingPage } from './reading-page.ts'
import type { BoundSource, FieldSpec, Follow, TypeOptions } from './schema.ts'
import { wholePageFields } from './whole-page-fields.ts'

/** What the engines do alike: strings of matches become values, and values become those of a field. */

/** The value of one match, by the string that was read of it. */
export type ValueReader = (raw: string, page: PageContext) => JsonValue

export function createValueReader(spec: TypeOptions): ValueReader {
  const { pattern, whitespace } = spec
  const type = fieldTypes[spec.type]
  const read = type.tuned?.(spec) ?? type.read
  if (pattern === undefined && whitespace === undefined) return read
  // A text or an amount is looked through as one would read it; markup and code as they stand.
  const isVerbatim = spec.type === 'raw' || spec.type === 'json'
  const tidy = spaced(whitespace ?? (isVerbatim ? 'keep' : 'collapse'))
  if (pattern === undefined) return (raw, page) => read(tidy(raw), page)
  const regex = linearRegexOf(pattern.source, pattern.flags) ?? new RegExp(pattern.source, pattern.flags)
  const readGroup = (text: string | undefined, page: PageContext): JsonValue =>
    text === undefined ? null : read(text, page)
  return (raw, page) => {
    const match = regex.exec(tidy(raw))
    if (match === null) return type.absent
    const [whole, ...groups] = match
    if (match.groups !== undefined)
      return Object.fromEntries(Object.entries(match.groups).map(([name, text]) => [name, readGroup(text, page)]))
    if (groups.length > 1) return groups.map(text => readGroup(text, page))
    return groups.length === 1 ? readGroup(groups[0], page) : readGroup(whole, page)
  }
}

/** What a match is worth that has no string to read, such as an attribute that it does not have. */
export const absentOf = ({ source, type }: Pick<FieldSpec, 'source' | 'type'>): JsonValue =>
  source.kind === 'group' ? null : fieldTypes[type].absent

/** Null, an empty text and an empty list all say that the page had nothing to say. */
const isNothing = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The value of a field by what its matches gave; undefined: there was no match. */
export type Settle = (value: JsonValue | undefined, page: ReadingPage) => JsonValue

export function createSettle(name: string, spec: FieldSpec): Settle {
  const { required, follow } = spec
  const none = spec.default ?? (spec.list ? [] : absentOf(spec))
  const hasDefault = spec.default !== undefined
  return (value, page) => {
    const isMissing = value === undefined || isNothing(value)
    if (isMissing && required !== undefined) page.missing.push({ path: [name], required })
    const settled = value === undefined || (isMissing && hasDefault) ? none : value
    if (follow !== undefined && page.links !== null) addLinks(settled, follow, page.links)
    return settled
  }
}

const tagOf = (follow: Follow): Pick<FoundLink, 'page' | 'rule'> =>
  follow === true ? {} : typeof follow === 'string' ? { page: follow } : follow

function addLinks(value: JsonValue, follow: Follow, links: NonNullable<ReadingPage['links']>): void {
  if (typeof value === 'string') links.push({ value, isNofollow: false, ...tagOf(follow) })
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addLinks(inner, follow, links)
}

/** What a field knows of the page without looking at an element; of a list, each string is read by itself. */
export function createBoundReader(source: BoundSource, spec: FieldSpec): (page: ReadingPage) => JsonValue {
  const readString = createValueReader(spec)
  const convert = (value: JsonValue, page: ReadingPage): JsonValue => {
    if (typeof value === 'string') return readString(value, page)
    if (typeof value === 'number' && (spec.pattern !== undefined || spec.type === 'text'))
      return readString(String(value), page)
    if (!Array.isArray(value)) return value
    // What was null before is a part of the value.
    return value.map(each => convert(each, page)).filter((each, index) => each !== null || value[index] === null)
  }
  switch (source.kind) {
    case 'constant':
      return () => source.value
    case 'context': {
      const fact = factOf(source.name) ?? (() => null)
      return page => convert(fact(page.facts), page)
    }
    case 'whole': {
      const read = wholePageFields[source.from]?.create(source.options) ?? (() => null)
      return page => convert(read(page.whole), page)
    }
    default:
      return source satisfies never
  }
}
