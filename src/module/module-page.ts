import type { CheerioAPI } from 'cheerio'
import type { JsonObject } from '../core/wire.ts'

/**
 * What a user's module is given: one page, in the worker thread that reads it. All of it is made when it is first asked
 * for, and ends with the page: what outlives `parse` finds it empty.
 */
export interface ModulePage {
  /** The URL that answered, after redirects: base of relative links unless a `<base>` says otherwise. */
  readonly url: string
  /** The URL that was asked for, as given. */
  readonly askedUrl: string
  /** Name of the page rule. */
  readonly name: string
  /** Null where the page came from no server. */
  readonly status: number | null
  /** Lower-case names; empty where the page came from no server. */
  readonly headers: Readonly<Record<string, string>>
  /** What stands beside the seed that the page comes from. */
  readonly meta: JsonObject | null
  /** The body, decoded. */
  readonly text: string
  /** [cheerio](https://cheerio.js.org) over the page, read by the `parser` of the page rule. */
  readonly $: CheerioAPI
  /**
   * The objects of the page's JSON-LD, without a tree being made; broken blocks are left out.
   * @param of their type, or several (`Product`); left out: all that stand by themselves
   */
  jsonLd(of?: string | readonly string[]): JsonObject[]
  /** The body as JSON. @throws with where it stops being JSON */
  json(): unknown
  /**
   * The absolute http(s) URLs that elements lead to, each once, in the order of the page.
   * @param selector of the elements; left out: `a[href]`
   */
  links(selector?: string): string[]
}

/** Any object whose values are JSON, for one item; `undefined` fields are left out. */
export type ModuleItem = object

/**
 * What `parse` gives back: an item, a list of them, nothing, or a map of `items` and `links`. Links may be relative to
 * the page; they are judged by the job's scope like any other.
 */
export type ModuleResult =
  | null
  | undefined
  | ModuleItem
  | readonly ModuleItem[]
  | { readonly items?: readonly ModuleItem[]; readonly links?: readonly (string | URL)[] }

/** The `parse` that a module exports. It has `timeouts.parseMs`, all that it awaits included. */
export type ModuleParse = (page: ModulePage) => ModuleResult | Promise<ModuleResult>
