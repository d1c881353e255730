import type { JsonValue } from '../core/wire.ts'
import { checkOptions, isJson, optionKeys } from './check-options.ts'
import { refuse } from './check-problem.ts'
import { checkType, type Value } from './check-value.ts'
import { contextNames, factOf } from './page-facts.ts'
import type { BoundSource, FieldSpec, ValueType } from './schema.ts'
import { wholePageFields } from './whole-page-fields.ts'

/** Fields that no element is looked at for: `{ constant }`, `{ context }` and `{ from }`, of which `{ xpath }` is one. */

export const boundKeys: readonly string[] = ['constant', 'context', 'from', 'xpath']

type Written = Readonly<Record<string, unknown>>

/** Such a field in a list is all that it finds, where it can say so. */
export function withAll(written: Written): Written {
  const { all, from = written.xpath === undefined ? undefined : 'xpath' } = written
  const kind = typeof from === 'string' && Object.hasOwn(wholePageFields, from) ? wholePageFields[from] : undefined
  return all === undefined && kind?.keys.includes('all') === true ? { ...written, all: true } : written
}

/** @param key which of `boundKeys` it is */
export function checkBound(written: Written, key: string, path: string): FieldSpec {
  const source =
    key === 'constant'
      ? constantOf(written, path)
      : key === 'context'
        ? contextOf(written, path)
        : wholeOf(key === 'xpath' ? { from: 'xpath', ...written } : written, path)
  const type = written.type ?? (written.follow === undefined || written.follow === false ? 'raw' : 'url')
  const checked = checkType(type, path)
  if (checked === 'attr' || checked === 'html') refuse(`${path}.type`, type, 'another type: there is no element')
  const value: Value = { source, type: checked as ValueType }
  return { selector: null, ...value, list: false, ...checkOptions(written, value, path) }
}

function checkKeys(written: Written, keys: readonly string[], path: string): void {
  const unknown = Object.keys(written).find(key => !keys.includes(key))
  if (unknown !== undefined)
    refuse(`${path}.${unknown}`, written[unknown], keys.join(', '), { typo: unknown, names: keys })
}

function constantOf(written: Written, path: string): BoundSource {
  checkKeys(written, ['constant'], path)
  if (!isJson(written.constant)) refuse(`${path}.constant`, written.constant, 'a JSON value')
  return { kind: 'constant', value: written.constant as JsonValue }
}

function contextOf(written: Written, path: string): BoundSource {
  checkKeys(written, ['context', 'type', ...optionKeys], path)
  const { context } = written
  if (typeof context !== 'string' || factOf(context) === null)
    refuse(`${path}.context`, context, contextNames.join(', '), { typo: String(context), names: contextNames })
  return { kind: 'context', name: context }
}

function wholeOf(written: Written, path: string): BoundSource {
  const { from } = written
  const names = Object.keys(wholePageFields)
  const kind = typeof from === 'string' && Object.hasOwn(wholePageFields, from) ? wholePageFields[from] : undefined
  if (kind === undefined || typeof from !== 'string')
    refuse(`${path}.from`, from, names.join(', '), { typo: String(from), names })
  checkKeys(written, ['from', 'type', ...optionKeys, ...kind.keys], path)
  const own = Object.fromEntries(kind.keys.filter(key => written[key] !== undefined).map(key => [key, written[key]]))
  return { kind: 'whole', from, options: kind.check(own, path) }
}
