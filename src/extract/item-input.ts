import type { JsonValue } from '../core/wire.ts'
import type { ValueType, Whitespace } from './schema.ts'

/** An `item` as it is written, before anything is checked or filled in. */
export interface ItemInput {
  readonly [field: string]: FieldInput
}

/** One field of an item: a selector, a list of one, or a map that says what is read and as which type. */
export type FieldInput = SingleInput | readonly SingleInput[]

export type SingleInput = string | FieldMap | WholeFieldMap | XPathFieldMap

export interface FieldMap {
  /** Left out: the element of the scope itself. */
  readonly selector?: string
  /** `text`, `ownText`, `innerHTML`, `outerHTML`, the name of an attribute, or the fields of a nested item. */
  readonly value?: string | ItemInput
  readonly type?: ValueType | 'html' | 'attr'
  /** Which match: 2 is the second, -2 the last but one. Default: the first. */
  readonly pick?: 'first' | 'last' | number
  /** How many matches there are. */
  readonly count?: true
  /** Whether there is a match. */
  readonly exists?: true
  /** Rows as objects by the names of their columns, or one object from each first cell to what follows it. */
  readonly table?: true | 'rows' | 'pairs'
  /** A definition list, each term to what is said of it. */
  readonly dl?: true
  /** A regular expression: its match, or its groups. */
  readonly pattern?: string
  readonly flags?: string
  readonly whitespace?: Whitespace
  /** Language tag whose marks of numbers, names of months and order of dates count. */
  readonly locale?: string
  /** `DD.MM.YYYY`, or several, tried in turn. */
  readonly format?: string | readonly string[]
  readonly words?: { readonly true?: string | readonly string[]; readonly false?: string | readonly string[] }
  /** In place of no value. */
  readonly default?: JsonValue
  /** `true`: no item without it. `flag`: the item says in `_missing` that it lacks it. */
  readonly required?: boolean | 'flag'
  /** The value is a link to follow, by the page rule of that name or by the one that fits. */
  readonly follow?: boolean | string
  /** The same value for every page. */
  readonly constant?: JsonValue
  /** `url`, `finalUrl`, `page`, `fetchedAt`, `depth`, `status`, `meta`, `meta.KEY` or `header:NAME`. */
  readonly context?: string
}

/** A field that is read from the page as a whole; which other keys it has is up to its kind. */
export interface WholeFieldMap extends Omit<FieldMap, 'selector' | 'value'> {
  readonly from: string
  readonly [option: string]: unknown
}

/** Short for `{ from: xpath, path }`. */
export interface XPathFieldMap extends Omit<FieldMap, 'selector'> {
  readonly xpath: string
  readonly all?: boolean
}

/** Several items of one page. */
export interface ItemsInput {
  readonly selector: string
  readonly item: ItemInput
  /** A page without any fails. */
  readonly required?: boolean
}
