import { isMap, refuse } from './check-problem.ts'
import { fieldTypes } from './fields/index.ts'
import type { FieldSpec, ItemSchema, StringSource, ValueSource, ValueType } from './schema.ts'

/** What a field reads of an element, and as which type: its `value` and `type`, or what stands in their place. */

export type Value = Pick<FieldSpec, 'source' | 'type'>
type Written = Readonly<Record<string, unknown>>

const sources: Readonly<Record<string, { readonly source: StringSource; readonly type: ValueType }>> = {
  text: { source: { kind: 'text' }, type: 'text' },
  ownText: { source: { kind: 'ownText' }, type: 'text' },
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

/** Keys that read something else than a string, and what they may say. */
const others = {
  count: { accepts: [true], source: () => ({ kind: 'count' }) },
  exists: { accepts: [true], source: () => ({ kind: 'exists' }) },
  table: {
    accepts: [true, 'rows', 'pairs'],
    source: (written: unknown) => ({ kind: 'table', shape: written === 'pairs' ? 'pairs' : 'rows' }),
  },
  dl: { accepts: [true], source: () => ({ kind: 'dl' }) },
} satisfies Record<string, { accepts: readonly unknown[]; source(written: unknown): ValueSource }>
const otherKeys = Object.keys(others) as (keyof typeof others)[]

/** @param checkFields what a nested item is checked by */
export function checkValue(written: Written, path: string, checkFields: (fields: unknown) => ItemSchema): Value {
  const { value, type } = written
  const given = otherKeys.filter(key => written[key] !== undefined)
  const [other, second] = given
  if (other !== undefined) {
    if (second !== undefined) refuse(`${path}.${second}`, written[second], `no ${second} beside ${other}`)
    for (const key of ['value', 'type'])
      if (written[key] !== undefined) refuse(`${path}.${key}`, written[key], `no ${key} beside ${other}`)
    const { accepts, source } = others[other]
    if (!(accepts as readonly unknown[]).includes(written[other]))
      refuse(`${path}.${other}`, written[other], accepts.join(', '), {
        typo: String(written[other]),
        names: (accepts as readonly unknown[]).filter(name => typeof name === 'string'),
      })
    return { source: source(written[other]), type: 'raw' }
  }
  if (isMap(value)) {
    if (type !== undefined) refuse(`${path}.type`, type, 'no type, since a nested item has those of its fields')
    return { source: { kind: 'group', fields: checkFields(value) }, type: 'raw' }
  }
  if (value !== undefined && typeof value !== 'string')
    refuse(
      `${path}.value`,
      value,
      'the name of an attribute, text, ownText, textContent, innerHTML, outerHTML or a map of fields',
    )
  const isLink = written.follow !== undefined && written.follow !== false
  if (type === undefined) return isLink ? valueTyped(value, 'url', path) : valueNamed(value ?? 'text', path)
  return valueTyped(value, checkType(type, path), path)
}

/** @throws CONFIG_INVALID it is no name of a type */
export function checkType(type: unknown, path: string): string {
  if (typeof type !== 'string' || !typeNames.includes(type))
    refuse(`${path}.type`, type, typeNames.join(', '), { typo: typeof type === 'string' ? type : '', names: typeNames })
  return type
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
