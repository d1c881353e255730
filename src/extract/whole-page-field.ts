import type { Item, JsonObject, JsonValue } from '../core/wire.ts'
import type { Tree } from './dom/tree.ts'
import type { ItemSchema } from './schema.ts'
import type { PageView } from './stream/page-view.ts'

/** A page as a whole, for a field that is no selector's. Nothing of it may be kept or changed. */
export interface WholePage {
  /** The body, decoded. */
  readonly html: string
  /** The URL that answered. */
  readonly url: string
  /** What relative URLs of the page are resolved against. */
  readonly baseUrl: string
  /** Null where the page came from no server. */
  readonly status: number | null
  /** Lower-case names; empty where the page came from no server. */
  readonly headers: Readonly<Record<string, string>>
  /** As the `parser` of the rule builds it; made when it is first asked for, once for all fields of the page. */
  tree(): Tree
  /**
   * What a schema finds on the page, by the engine that reads it: without a tree where it can do without. Once per page
   * and schema, which must be the same object for all pages.
   */
  read(schema: ItemSchema): Item
}

/** What such a field asks of the elements of a page. */
export interface PageNeed {
  /** The same object each time; without anything that a page may lack or that is followed. */
  readonly schema: ItemSchema
  /** False: the page cannot hold any of it, and the field will not ask. Left out: any page may. */
  mayBeIn?(page: PageView): boolean
}

/**
 * A kind of field that is a function of the whole page, `{ from: json-ld, ... }`: a file of its own and a line in
 * `whole-page-fields.ts`. The schema does the rest: of what is read, `type`, `pattern` and `whitespace` are applied to
 * each string (of a list, to each in it), and then `default`, `required` and `follow` hold as for any other field.
 */
export interface WholePageField {
  /** Keys of such a field beside `from`, `type`, `pattern`, `flags`, `whitespace`, `default`, `required` and `follow`. */
  readonly keys: readonly string[]
  /**
   * Checks these keys and fills in what they leave out, as plain data that crosses to the workers.
   * @param options what is written at `keys`, and nothing else
   * @param path where the field stands in the job
   * @throws CONFIG_INVALID with the path, the value and what is accepted (`refuse` of `check-problem.ts`)
   */
  check(options: Readonly<Record<string, unknown>>, path: string): JsonObject
  /** It asks for the tree of every page: other fields are read from that one then. Left out: it does not. */
  readonly needsTree?: true
  /** What `create` will `read`: found in the same pass as the fields of the rule. Left out: it reads no schema. */
  needs?(options: JsonObject): PageNeed
  /** Made once and asked for page after page. Null: the page holds no such value. Throws for nothing a page may hold. */
  create(options: JsonObject): (page: WholePage) => JsonValue
}
