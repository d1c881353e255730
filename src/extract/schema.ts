import type { JsonObject, JsonValue } from '../core/wire.ts'

/** What an `item:` map of a job is once checked: plain data that crosses to the workers. */

/**
 * How the string that was read becomes a JSON value; `fields/index.ts` is the table. `raw` leaves it as it is, which
 * is what cheerio's own names (`textContent`, `innerHTML`, an attribute) give.
 */
export type ValueType = 'raw' | 'text' | 'number' | 'url' | 'boolean' | 'date' | 'json'

/** What of the selected element is read as a string, and what becomes a value in another way. */
export type ValueSource = StringSource | BoundSource | OtherSource

export type StringSource =
  /** All text below it, as cheerio's `text()`. */
  | { readonly kind: 'text' }
  /** The same without scripts and styles. */
  | { readonly kind: 'innerText' }
  /** The text that stands in the element itself, and in no element of it. */
  | { readonly kind: 'ownText' }
  | { readonly kind: 'innerHTML' }
  | { readonly kind: 'outerHTML' }
  /** In capitals, as the DOM has it. */
  | { readonly kind: 'tagName' }
  /** An attribute; there is no value where the element has none of that name. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** The attribute that holds a value of the field's type by the HTML standard (`<time datetime>`), or else the text. */
  | { readonly kind: 'natural' }

export type OtherSource =
  /** A nested item, its selectors relative to the selected element. */
  | { readonly kind: 'group'; readonly fields: ItemSchema }
  /** The rows of a table, or its first column to its others. */
  | { readonly kind: 'table'; readonly shape: TableShape }
  /** A definition list: each term to what is said of it. */
  | { readonly kind: 'dl' }
  /** How many matches there are. */
  | { readonly kind: 'count' }
  /** Whether there is a match. */
  | { readonly kind: 'exists' }

/** Known of the page, without looking at an element. */
export type BoundSource =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'context'; readonly name: string }
  /** One of `whole-page-fields.ts`, with what its check made of the keys. */
  | { readonly kind: 'whole'; readonly from: string; readonly options: JsonObject }

export type TableShape = 'rows' | 'pairs'

/** `collapse`: trimmed, runs of white space as one space. `trim`: only trimmed. `lines`: each line by itself. */
export type Whitespace = 'collapse' | 'trim' | 'lines' | 'keep'

/** How a string becomes a value of the field's type. */
export interface TypeOptions {
  readonly type: ValueType
  /** What is looked for in the string; its groups are the value. */
  readonly pattern?: { readonly source: string; readonly flags: string }
  readonly whitespace?: Whitespace
  /** Language tag whose marks, names of months and order of dates count. */
  readonly locale?: string
  /** Forms of a date, tried in turn. */
  readonly format?: readonly string[]
  /** Texts that are true, and texts that are false. */
  readonly words?: { readonly true: readonly string[]; readonly false: readonly string[] }
}

export interface FieldSpec extends TypeOptions {
  /** Null: the element of the scope itself. */
  readonly selector: string | null
  readonly source: ValueSource
  /** True: every match that has a value, as a list. False: one match, or null. */
  readonly list: boolean
  /** Which match: from 1 on, or from the last one, which is -1. Left out: the first. */
  readonly pick?: number
  /** In place of no value. */
  readonly default?: JsonValue
  /** Without a value the item is not kept, or is kept with a note of it. */
  readonly required?: 'item' | 'flag'
  /** The value is a link to follow. */
  readonly follow?: Follow
}

/** By the page rule that fits, by the one of that name, or as that entry of `followRules` says. */
export type Follow = true | string | { readonly rule: number }

/** Field name to field, in the order in which they are written. */
export type ItemSchema = Readonly<Record<string, FieldSpec>>

export const isBound = (source: ValueSource): source is BoundSource =>
  source.kind === 'constant' || source.kind === 'context' || source.kind === 'whole'
