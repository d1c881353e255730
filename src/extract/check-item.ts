import { MillraceError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { fieldTypes } from './fields/index.ts'
import type { FieldSpec, ItemSchema, ValueSource, ValueType } from './schema.ts'
import { checkSelector } from './selector.ts'

/**
 * The language of `item:`, a superset of cheerio's extract map:
 *
 *   title: h1                                              text of the first match
 *   tags: [.tag]                                           the same of all matches
 *   image: { selector: img, value: src, type: url }        an attribute, as a type
 *   photos: [{ selector: img, value: src }]                of all matches
 *   offers: [{ selector: tr, value: { seller: .name } }]   an item per match, its selectors relative to it
 *   price: { selector: .price, type: number }              the type alone: read where elements keep such a value
 *
 * `value` names what is read: `text` (trimmed, white space collapsed; what a plain string means), cheerio's
 * `textContent`, `innerText`, `innerHTML`, `outerHTML` and `tagName` (exactly as they are), or an attribute. Without
 * `selector` a field reads the element of its scope.
 */

const fieldKeys = ['selector', 'value', 'type']
const shapes = 'a selector, [selector], { selector, value, type } or a list of one such map'

const sources: Readonly<Record<string, { readonly source: ValueSource; readonly type: ValueType }>> = {
  text: { source: { kind: 'text' }, type: 'text' },
  textContent: { source: { kind: 'text' }, type: 'raw' },
  innerText: { source: { kind: 'innerText' }, type: 'raw' },
  html: { source: { kind: 'innerHTML' }, type: 'raw' },
  innerHTML: { source: { kind: 'innerHTML' }, type: 'raw' },
  outerHTML: { source: { kind: 'outerHTML' }, type: 'raw' },
  tagName: { source: { kind: 'tagName' }, type: 'raw' },
  nodeName: { source: { kind: 'tagName' }, type: 'raw' },
}

/** `html` and `attr` say what is read and leave the string as it is. */
const typeNames: readonly string[] = [
  'text',
  'html',
  'attr',
  ...Object.keys(fieldTypes).filter(name => name !== 'text'),
]

/** Without a type they are true or false, as the DOM's properties of these names. */
const booleanAttributes = new Set(
  (
    'async autofocus autoplay checked controls defer disabled hidden loop multiple muted nomodule novalidate open ' +
    'readonly required reversed scoped selected'
  ).split(' '),
)

/** Names that mean something to every object of the language. */
const reservedNames = new Set(['__proto__', 'constructor', 'prototype', 'toJSON'])

/** YAML can hold a map inside itself. */
const maxDepth = 16

/**
 * Checks the `item:` of a job and fills in what it leaves out. `path` is where it stands in the job.
 * @throws CONFIG_INVALID with the path of the field, the value, what is accepted and the nearest valid name
 */
export function checkItem(spec: unknown, path: string): ItemSchema {
  return checkFields(spec, path, 0)
}

function checkFields(spec: unknown, path: string, depth: number): ItemSchema {
  if (!isMap(spec)) refuse(path, spec, 'a map of field names to selectors')
  if (depth > maxDepth) refuse(path, '...', `items nested at most ${maxDepth} deep`)
  const names = Object.keys(spec)
  if (names.length === 0) refuse(path, spec, 'at least one field')
  return Object.fromEntries(names.map(name => [name, checkField(spec[name], checkName(name, path), depth)]))
}

function checkName(name: string, path: string): string {
  if (name === '' || name.startsWith('_') || reservedNames.has(name))
    refuse(
      path,
      name,
      `field names that do not begin with "_" (items have "_url" and others of their own) and are none of constructor, prototype, toJSON`,
    )
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}

function checkField(spec: unknown, path: string, depth: number): FieldSpec {
  if (!Array.isArray(spec)) return checkSingle(spec, path, depth)
  const [only, ...others] = spec
  if (only === undefined || others.length > 0) refuse(path, spec, 'a list of exactly one selector or map')
  const field = checkSingle(only, path, depth)
  if (field.selector === null) refuse(`${path}.selector`, undefined, 'a selector, since a list is made of its matches')
  return { ...field, list: true }
}

function checkSingle(spec: unknown, path: string, depth: number): FieldSpec {
  if (typeof spec === 'string')
    return { selector: checkedSelector(spec, path), source: { kind: 'text' }, type: 'text', list: false }
  if (!isMap(spec)) refuse(path, spec, shapes)
  const unknown = Object.keys(spec).find(key => !fieldKeys.includes(key))
  if (unknown !== undefined)
    refuse(
      `${path}.${unknown}`,
      spec[unknown],
      `${fieldKeys.join(', ')} (fields of a nested item stand in its value)`,
      {
        typo: unknown,
        names: fieldKeys,
      },
    )
  const { selector, value, type } = spec
  if (selector === undefined && value === undefined) refuse(path, spec, shapes)
  return {
    selector: selector === undefined ? null : checkedSelector(selector, `${path}.selector`),
    ...checkValue(value, type, path, depth),
    list: false,
  }
}

/**
 * A selector of the job that can be used.
 * @throws CONFIG_INVALID with the place in the selector from which on it cannot be read
 */
export function checkedSelector(selector: unknown, path: string): string {
  if (typeof selector !== 'string' || selector.trim() === '') refuse(path, selector, 'a CSS selector')
  const problem = checkSelector(selector)
  if (problem === null) return selector
  const { index, reason, nearest: meant } = problem
  const rest = selector.slice(index, index + 30)
  const place = `position ${index + 1}, ${rest === '' ? 'its end' : shown(rest)}`
  throw invalid(
    `${path}: ${shown(selector)} is not a selector: ${reason}, at ${place}${hint(meant === null ? null : `:${meant}`)}`,
  )
}

type Value = Pick<FieldSpec, 'source' | 'type'>

function checkValue(value: unknown, type: unknown, path: string, depth: number): Value {
  if (isMap(value)) {
    if (type !== undefined) refuse(`${path}.type`, type, 'no type, since a nested item has those of its fields')
    return { source: { kind: 'group', fields: checkFields(value, path, depth + 1) }, type: 'raw' }
  }
  if (value !== undefined && typeof value !== 'string')
    refuse(
      `${path}.value`,
      value,
      'the name of an attribute, text, textContent, innerHTML, outerHTML or a map of fields',
    )
  if (type !== undefined && (typeof type !== 'string' || !typeNames.includes(type)))
    refuse(`${path}.type`, type, typeNames.join(', '), { typo: typeof type === 'string' ? type : '', names: typeNames })
  return type === undefined ? valueNamed(value ?? 'text', path) : valueTyped(value, type, path)
}

function valueTyped(value: string | undefined, type: string, path: string): Value {
  switch (type) {
    case 'attr':
      if (value === undefined) refuse(`${path}.value`, value, 'the name of the attribute, since the type is attr')
      return { source: attribute(value, path), type: 'raw' }
    case 'html':
      return value === undefined
        ? { source: { kind: 'innerHTML' }, type: 'raw' }
        : { ...valueNamed(value, path), type: 'raw' }
    case 'text':
    case 'raw':
      return { ...valueNamed(value ?? 'text', path), type }
    default: {
      const source: ValueSource = value === undefined ? { kind: 'natural' } : valueNamed(value, path).source
      return { source, type: type as ValueType }
    }
  }
}

function valueNamed(value: string, path: string): Value {
  const known = Object.hasOwn(sources, value) ? sources[value] : undefined
  if (known !== undefined) return known
  const meant = Object.keys(sources).find(name => name.toLowerCase() === value.toLowerCase())
  if (meant !== undefined)
    refuse(`${path}.value`, value, Object.keys(sources).join(', '), { typo: value, names: [meant] })
  const source = attribute(value, path)
  return { source, type: booleanAttributes.has(source.name) ? 'boolean' : 'raw' }
}

/** The parsers have the names of attributes in lower case. */
function attribute(name: string, path: string): Extract<ValueSource, { kind: 'attribute' }> {
  if (!/^[^\s"'<>/=]+$/.test(name)) refuse(`${path}.value`, name, 'the name of an attribute')
  return { kind: 'attribute', name: name.toLowerCase() }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (message: string): MillraceError => new MillraceError('CONFIG_INVALID', message)

const hint = (meant: string | null): string => (meant === null ? '' : `; did you mean ${shown(meant)}?`)

function refuse(
  path: string,
  value: unknown,
  accepted: string,
  lookup?: { readonly typo: string; readonly names: readonly string[] },
): never {
  const said = value === undefined ? 'is missing' : `${shown(value)} is not accepted`
  const meant = lookup === undefined ? null : nearest(lookup.typo, lookup.names)
  throw invalid(`${path}: ${said}; expected ${accepted}${hint(meant)}`)
}

/** On one line, and cut where it is long. */
function shown(value: unknown): string {
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    text = 'a map inside itself'
  }
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
