import { linearRegexOf } from '../core/linear-regex.ts'
import type { JsonValue } from '../core/wire.ts'
import { invalid, isMap, refuse, shown } from './check-problem.ts'
import type { Value } from './check-value.ts'
import { formatProblem } from './fields/date-form.ts'
import { whitespaceNames } from './fields/text.ts'
import { reservedNames } from './reserved-names.ts'
import type { FieldSpec, TypeOptions, Whitespace } from './schema.ts'

/** What becomes of what a field has read: how its string is taken, and what holds where there is no value. */

type Written = Readonly<Record<string, unknown>>
type Options = Omit<FieldSpec, 'selector' | 'source' | 'type' | 'list' | 'pick'>

const stringKeys = ['pattern', 'flags', 'whitespace', 'locale', 'format', 'words']
const endKeys = ['default', 'required', 'follow']
export const optionKeys: readonly string[] = [...stringKeys, ...endKeys]

const noStrings: readonly string[] = ['group', 'table', 'dl', 'count', 'exists']

export function checkOptions(written: Written, value: Value, path: string): Options {
  const { kind } = value.source
  if (noStrings.includes(kind))
    for (const key of [...stringKeys, 'follow'])
      if (written[key] !== undefined)
        refuse(`${path}.${key}`, written[key], `no ${key} beside ${kind === 'group' ? 'a nested item' : kind}`)
  if (kind === 'count' || kind === 'exists')
    for (const key of ['default', 'required'])
      if (written[key] !== undefined) refuse(`${path}.${key}`, written[key], `no ${key} beside ${kind}: it always is`)
  return { ...checkTypeOptions(written, value, path), ...checkEnd(written, value, path) }
}

function checkTypeOptions(written: Written, { type }: Value, path: string): Omit<TypeOptions, 'type'> {
  const belongs = (key: string, types: readonly string[]): void => {
    if (written[key] !== undefined && !types.includes(type))
      refuse(`${path}.${key}`, written[key], `a field of type ${types.join(' or ')} for it`)
  }
  belongs('locale', ['number', 'date'])
  belongs('format', ['date'])
  belongs('words', ['boolean'])
  return {
    ...checkPattern(written, path),
    ...checkWhitespace(written, path),
    ...checkLocale(written, path),
    ...checkFormat(written, path),
    ...checkWords(written, path),
  }
}

function checkPattern({ pattern, flags = '' }: Written, path: string): Pick<TypeOptions, 'pattern'> {
  if (pattern === undefined) {
    if (flags !== '') refuse(`${path}.flags`, flags, 'a pattern beside them')
    return {}
  }
  if (typeof pattern !== 'string' || pattern === '') refuse(`${path}.pattern`, pattern, 'a regular expression')
  if (typeof flags !== 'string' || !/^(?:([imsuv])(?!.*\1))*$/.test(flags))
    refuse(`${path}.flags`, flags, 'some of i, m, s, u, v')
  let groups: string[]
  try {
    linearRegexOf(pattern, flags)
    groups = Object.keys(new RegExp(`${pattern}|`, flags).exec('')?.groups ?? {})
  } catch (thrown) {
    const { cause = thrown } = thrown as Error
    const reason = cause instanceof Error ? cause.message.replace(/^.*: /s, '') : ''
    throw invalid(`${path}.pattern: ${shown(pattern)} is no regular expression: ${reason}`)
  }
  const reserved = groups.find(name => reservedNames.has(name))
  if (reserved !== undefined) refuse(`${path}.pattern`, reserved, 'another name for this group')
  return { pattern: { source: pattern, flags } }
}

function checkWhitespace({ whitespace }: Written, path: string): Pick<TypeOptions, 'whitespace'> {
  if (whitespace === undefined) return {}
  if (typeof whitespace !== 'string' || !whitespaceNames.includes(whitespace))
    refuse(`${path}.whitespace`, whitespace, whitespaceNames.join(', '), {
      typo: String(whitespace),
      names: whitespaceNames,
    })
  return { whitespace: whitespace as Whitespace }
}

function checkLocale({ locale }: Written, path: string): Pick<TypeOptions, 'locale'> {
  if (locale === undefined) return {}
  const isKnown = typeof locale === 'string' && isLanguage(locale)
  if (!isKnown) refuse(`${path}.locale`, locale, 'a language tag, such as de, en-GB or pt-BR')
  return { locale }
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

function checkFormat({ format }: Written, path: string): Pick<TypeOptions, 'format'> {
  if (format === undefined) return {}
  const formats = [format].flat()
  if (formats.length === 0) refuse(`${path}.format`, format, 'a form such as DD.MM.YYYY, or a list of them')
  for (const each of formats) {
    if (typeof each !== 'string') refuse(`${path}.format`, each, 'a form such as DD.MM.YYYY')
    const problem = formatProblem(each)
    if (problem !== null) throw invalid(`${path}.format: ${shown(each)} is no form of a date: ${problem}`)
  }
  return { format: formats as string[] }
}

function checkWords({ words }: Written, path: string): Pick<TypeOptions, 'words'> {
  if (words === undefined) return {}
  const place = `${path}.words`
  if (!isMap(words)) refuse(place, words, '{ true: [...], false: [...] }')
  const unknown = Object.keys(words).find(key => key !== 'true' && key !== 'false')
  if (unknown !== undefined) refuse(`${place}.${unknown}`, words[unknown], 'true and false')
  const listOf = (key: string): string[] => {
    const list = [words[key] ?? []].flat()
    const other = list.find(word => typeof word !== 'string')
    if (other !== undefined) refuse(`${place}.${key}`, other, 'texts')
    return list as string[]
  }
  const lists = { true: listOf('true'), false: listOf('false') }
  if (lists.true.length + lists.false.length === 0) refuse(place, words, 'a word at least')
  return { words: lists }
}

/** @throws CONFIG_INVALID */
function checkEnd(
  written: Written,
  { source, type }: Value,
  path: string,
): Pick<FieldSpec, 'default' | 'required' | 'follow'> {
  const { default: fallback, required = false, follow = false } = written
  if (fallback !== undefined && required !== false)
    refuse(`${path}.required`, required, 'no required beside default: with one there always is a value')
  if (fallback !== undefined && !isJson(fallback)) refuse(`${path}.default`, fallback, 'a JSON value')
  if (required !== false && required !== true && required !== 'flag')
    refuse(`${path}.required`, required, 'true (no item without it), flag (the item says what it lacks) or false')
  if (follow !== false && follow !== true && (typeof follow !== 'string' || follow === ''))
    refuse(`${path}.follow`, follow, 'true, or the name of the page rule that reads where it leads')
  if (follow !== false && type !== 'url' && source.kind !== 'whole')
    refuse(`${path}.follow`, follow, 'a field of type url for it')
  return {
    ...(fallback !== undefined && { default: fallback as JsonValue }),
    ...(required !== false && { required: required === true ? 'item' : 'flag' }),
    ...(follow !== false && { follow: follow as true | string }),
  }
}

/** Plain data all through; JSON and YAML give nothing else, a module may. */
export function isJson(value: unknown, depth = 0): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > 64) return false
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))
  return isPlain && Object.values(value).every(inner => isJson(inner, depth + 1))
}
