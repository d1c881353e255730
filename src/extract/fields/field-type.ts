import type { JsonValue } from '../../core/wire.ts'
import type { TypeOptions } from '../schema.ts'

/** What a value may need to know of its page. */
export interface PageContext {
  /** What relative URLs are resolved against: the page's URL, or what its `<base>` says. */
  readonly baseUrl: string
}

/** One type of value. Pure: the same string on the same page gives the same value on every machine. */
export interface FieldType {
  /** The attribute that holds such a value on elements called `tag`, by the HTML standard; null: their text does. */
  attributeOf(tag: string): string | null
  /** Null where the string holds no such value. Never throws. */
  readonly read: ReadValue
  /** What a field has when there is no element, or no such attribute. */
  readonly absent: JsonValue
  /** How it is read with the options of a field; left out: it has none. */
  tuned?(options: TypeOptions): ReadValue
}

export type ReadValue = (raw: string, page: PageContext) => JsonValue
