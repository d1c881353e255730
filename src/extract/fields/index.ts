import type { ValueType } from '../schema.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import type { FieldType } from './field-type.ts'
import { json } from './json.ts'
import { number } from './number.ts'
import { raw } from './raw.ts'
import { text } from './text.ts'
import { url } from './url.ts'

/** The table of value types: a new one is a file beside this one, a line here and its name in `schema.ts`. */
export const fieldTypes: Readonly<Record<ValueType, FieldType>> = { raw, text, number, url, boolean, date, json }
