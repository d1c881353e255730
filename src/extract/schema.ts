/** What an `item:` map of a job is once checked: plain data that crosses to the workers. */

/**
 * How the string that was read becomes a JSON value; `fields/index.ts` is the table. `raw` leaves it as it is, which
 * is what cheerio's own names (`textContent`, `innerHTML`, an attribute) give.
 */
export type ValueType = 'raw' | 'text' | 'number' | 'url' | 'boolean' | 'date' | 'json'

/** What of the selected element is read, always as a string. */
export type ValueSource =
  /** All text below it, as cheerio's `text()`. */
  | { readonly kind: 'text' }
  /** The same without scripts and styles. */
  | { readonly kind: 'innerText' }
  | { readonly kind: 'innerHTML' }
  | { readonly kind: 'outerHTML' }
  /** In capitals, as the DOM has it. */
  | { readonly kind: 'tagName' }
  /** An attribute; there is no value where the element has none of that name. */
  | { readonly kind: 'attribute'; readonly name: string }
  /** The attribute that holds a value of the field's type by the HTML standard (`<time datetime>`), or else the text. */
  | { readonly kind: 'natural' }
  /** A nested item, its selectors relative to the selected element. */
  | { readonly kind: 'group'; readonly fields: ItemSchema }

export interface FieldSpec {
  /** Null: the element of the scope itself. */
  readonly selector: string | null
  readonly source: ValueSource
  readonly type: ValueType
  /** True: every match that has a value, as a list. False: the first match, or null. */
  readonly list: boolean
}

/** Field name to field, in the order in which they are written. */
export type ItemSchema = Readonly<Record<string, FieldSpec>>
