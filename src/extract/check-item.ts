import { boundKeys, checkBound, withAll } from './check-bound.ts'
import { checkOptions, optionKeys } from './check-options.ts'
import { hint, invalid, isMap, refuse, shown } from './check-problem.ts'
import { checkValue } from './check-value.ts'
import { reservedNames } from './reserved-names.ts'
import type { FieldSpec, ItemSchema } from './schema.ts'
import { checkSelector } from './selector.ts'

/**
 * The language of `item:`, a superset of cheerio's extract map; docs/schema.md tells all of it.
 *
 *   title: h1                                              text of the first match
 *   tags: [.tag]                                           the same of all matches
 *   image: { selector: img, value: src, type: url }        an attribute, as a type
 *   photos: [{ selector: img, value: src }]                of all matches
 *   offers: [{ selector: tr, value: { seller: .name } }]   an item per match, its selectors relative to it
 *   price: { selector: .price, type: number }              the type alone: read where elements keep such a value
 *   stars: { selector: .rating, pattern: '([\d.]+) of 5', type: number, default: 0 }
 *   reviews: { selector: .review, count: true }            a number; with `exists` true or false
 *   specs: { selector: table, table: pairs }               a table as data
 *   sku: { xpath: '//dd[@class="sku"]/text()' }            by XPath
 *   seed: { context: meta.sku }                            what is known without the page
 *
 * `value` names what is read: `text` (trimmed, white space collapsed; what a plain string means), cheerio's
 * `textContent`, `innerText`, `innerHTML`, `outerHTML` and `tagName` (exactly as they are), `ownText`, or an attribute.
 * Without `selector` a field reads the element of its scope.
 */

const fieldKeys = ['selector', 'value', 'type', 'pick', 'count', 'exists', 'table', 'dl', ...optionKeys]
const shapes = 'a selector, [selector], { selector, value, type } or a list of one such map'

/** Keys of other tools, to those that mean the same here. */
const otherNames: Readonly<Record<string, string>> = {
  nth: 'pick',
  eq: 'pick',
  index: 'pick',
  first: 'pick',
  last: 'pick',
  regex: 'pattern',
  regexp: 'pattern',
  match: 'pattern',
  attr: 'value',
  attribute: 'value',
  how: 'value',
  data: 'value',
  convert: 'type',
  optional: 'required',
  trim: 'whitespace',
}

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
  const isAll = isMap(only) && withAll(only) !== only
  const field = checkSingle(isAll ? withAll(only) : only, path, depth)
  if (isAll) return field
  if (field.selector === null) refuse(`${path}.selector`, undefined, 'a selector, since a list is made of its matches')
  if (field.pick !== undefined) refuse(`${path}.pick`, field.pick, 'no pick in a list, which is all matches')
  if (field.source.kind === 'count' || field.source.kind === 'exists')
    refuse(path, spec, `no list, since ${field.source.kind} is one value of all matches`)
  return { ...field, list: true }
}

function checkSingle(spec: unknown, path: string, depth: number): FieldSpec {
  if (typeof spec === 'string')
    return { selector: checkedSelector(spec, path), source: { kind: 'text' }, type: 'text', list: false }
  if (!isMap(spec)) refuse(path, spec, shapes)
  const bound = boundKeys.find(key => spec[key] !== undefined)
  if (bound !== undefined) return checkBound(spec, bound, path)
  checkKeys(spec, path)
  const { selector, value } = spec
  const whole = ['table', 'dl', 'count', 'exists'].some(key => spec[key] !== undefined)
  if (selector === undefined && value === undefined && !whole) refuse(path, spec, shapes)
  const checked = checkValue(spec, path, fields => checkFields(fields, path, depth + 1))
  const isOfMatches = checked.source.kind === 'count' || checked.source.kind === 'exists'
  if (selector === undefined && isOfMatches)
    refuse(`${path}.selector`, selector, `a selector, since ${checked.source.kind} is about its matches`)
  return {
    selector: selector === undefined ? null : checkedSelector(selector, `${path}.selector`),
    ...checked,
    list: false,
    ...checkPick(spec, path),
    ...checkOptions(spec, checked, path),
  }
}

function checkKeys(spec: Readonly<Record<string, unknown>>, path: string): void {
  const unknown = Object.keys(spec).find(key => !fieldKeys.includes(key))
  if (unknown === undefined) return
  const names = [...fieldKeys, ...boundKeys]
  const meant = Object.hasOwn(otherNames, unknown) ? otherNames[unknown] : undefined
  if (['all', 'list', 'many', 'multiple'].includes(unknown))
    refuse(`${path}.${unknown}`, spec[unknown], 'a list of this one map, [{ selector, ... }], for all matches')
  const accepted = `${fieldKeys.join(', ')} (fields of a nested item stand in its value)`
  refuse(`${path}.${unknown}`, spec[unknown], accepted, {
    typo: meant ?? unknown,
    names: meant === undefined ? names : [meant],
  })
}

function checkPick({ pick, selector }: Readonly<Record<string, unknown>>, path: string): Pick<FieldSpec, 'pick'> {
  if (pick === undefined) return {}
  if (selector === undefined) refuse(`${path}.pick`, pick, 'a selector beside it, since it chooses among matches')
  const place = pick === 'first' ? 1 : pick === 'last' ? -1 : pick
  if (typeof place !== 'number' || !Number.isSafeInteger(place) || place === 0)
    refuse(`${path}.pick`, pick, 'first, last, or a number: 2 is the second match, -2 the last but one', {
      typo: String(pick),
      names: ['first', 'last'],
    })
  return place === 1 ? {} : { pick: place }
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
