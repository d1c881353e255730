import type { Fault } from './errors.ts'

/** All that crosses a thread; types only. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * One extracted item with its fields flat, and `_url`, `_finalUrl`, `_page`, `_at` beside them; `_index` where its page
 * has several, and `_missing` where it lacks what it should have.
 */
export type Item = { readonly [field: string]: JsonValue }

export interface ParseRequest {
  /** As it came off the wire, still content-coded; moved, not copied. */
  readonly body: Uint8Array<ArrayBuffer>
  /** The Content-Encoding header, empty when there was none. */
  readonly contentCoding: string
  /** The Content-Type header, empty when there was none. */
  readonly contentType: string
  /** The URL that was asked for, as given. */
  readonly askedUrl: string
  /** The URL that answered: base of relative links until `<base>` says otherwise. */
  readonly finalUrl: string
  /** Name of the page rule; the rules themselves travel once, as worker data. */
  readonly page: string
  /** Links followed since a seed: links of a page at `scope.maxDepth` are not wanted. */
  readonly depth: number
  /** ISO wall time of the answer: `_at` of its items. */
  readonly fetchedAt: string
  /** `bytes`: output lines ready to append. `objects`: for those who iterate. */
  readonly want: 'bytes' | 'objects'
  /** What stands beside the seed that the page comes from. */
  readonly meta?: JsonObject | null
  /** For those who ask for it (`asksAnswer`, user modules), where the page came from a server. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** For an archive of what came. */
  readonly timing?: { readonly connectMs: number; readonly firstByteMs: number; readonly totalMs: number }
}

/** A link that is in scope and fits a page rule. */
export interface Link {
  /** Absolute, as it will be sent. */
  readonly url: string
  /** `urlKey` of it, made in the worker so that the main thread only looks it up. */
  readonly key: string
  readonly page: string
  /** Of its task; left out: 0. */
  readonly priority?: number
}

/** Links that are followed and in scope, and that no page rule fits: nobody asks for them. */
export interface UnroutedLinks {
  readonly count: number
  /** The first of them. */
  readonly example: string
}

/** Links of a page that has very many, as JSON in UTF-8: read by the main thread one pack after the other. */
export interface LinkPack {
  readonly count: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What read a page: tokens as they come, a tree, or a user's module. */
export type EngineName = 'stream' | 'tree' | 'module'

/** What shows that a page is none, though it came with a status that says otherwise. */
export interface BlockSign {
  /** As the job calls it. */
  readonly name: string
  /** The gateway of a proxy wrote the page, and not the site: a lie. */
  readonly isLie: boolean
}

/** A field that the two ways to read HTML make different things of. */
export interface FieldDifference {
  /** `item.offers.price`; of links, `follow`. */
  readonly path: string
  /** As JSON, cut where they are long. */
  readonly fast: string
  readonly browser: string
}

/** A page that was read by both parsers. */
export interface PageAudit {
  /** Name of the page rule. */
  readonly page: string
  /** As it was asked for. */
  readonly url: string
  /** What the second reading cost; it is in the `cpuMs` of the reply. */
  readonly cpuMs: number
  /** Null: it was left alone, since a browser's rules would take too long over it. */
  readonly differences: readonly FieldDifference[] | null
}

/** What of the time of a page its thread gave to each part; the rest is parsing and extracting, which are one. */
export interface ParseTimes {
  /** Content codings and charset. */
  readonly decodeMs: number
  /** Output lines, or objects that can cross. */
  readonly serialiseMs: number
}

export type ParseReply =
  | {
      readonly kind: 'parsed'
      /** JSON lines in UTF-8, each ended by a line feed; empty when `objects` were wanted. */
      readonly output: Uint8Array<ArrayBuffer>
      /** Empty when `bytes` were wanted. */
      readonly items: readonly Item[]
      readonly itemCount: number
      readonly links: readonly Link[]
      /** Those beyond the first some hundred, where the reply crossed a thread. */
      readonly moreLinks?: readonly LinkPack[]
      /** Left out, or null where the page asks not to be followed: there are none. */
      readonly unrouted?: UnroutedLinks | null
      readonly charset: string
      readonly engine: EngineName
      readonly decodedBytes: number
      /** How long its thread was busy with the page: on a core of its own, what it cost. */
      readonly cpuMs: number
      /** Left out where nobody measured them. */
      readonly times?: ParseTimes
      /** Where the page sends its reader at once: it is a redirect then, and gives nothing else. Absolute and sendable. */
      readonly refresh?: string
      /** The page asks not to be kept: it gives links alone. */
      readonly noindex?: true
      /** The page is another one's, by its own word. `key` is as that of a link. */
      readonly canonical?: Pick<Link, 'url' | 'key'>
      /** What pages with the same text have in common. */
      readonly content?: string
      /** What pages have in common that differ by numbers alone; of those in a row of URLs that may be endless. */
      readonly row?: string
      /** The page says "not you": it gives nothing else. */
      readonly blocked?: BlockSign
      /** Items that are not kept: of a user module what is no JSON, of others what lacks a required field. */
      readonly refused?: readonly Fault[]
      /** Scripts that a field took for JSON and that hold none. */
      readonly brokenBlocks?: number
      /** Of the items that were read, kept or not: how many, and then in how many of them each field had a value. */
      readonly filled?: readonly number[]
      readonly audit?: PageAudit
      /** The page as it came, for an archive, where the job wants one. */
      readonly record?: Uint8Array<ArrayBuffer>
      readonly queuedMs?: number
    }
  | {
      readonly kind: 'faulted'
      /** Its message names the page, by `finalUrl`. */
      readonly fault: Fault
      /** Of a page that was read and lacks what its rule requires: they are followed all the same. */
      readonly links?: readonly Link[]
      readonly moreLinks?: readonly LinkPack[]
      readonly unrouted?: UnroutedLinks | null
      readonly filled?: readonly number[]
      readonly cpuMs: number
      readonly times?: ParseTimes
      readonly record?: Uint8Array<ArrayBuffer>
      readonly audit?: PageAudit
      /** From hand-over until a thread began; absent where nobody waits. Set by the pool, not by the worker. */
      readonly queuedMs?: number
    }
