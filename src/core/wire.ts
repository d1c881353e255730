import type { Fault } from './errors.ts'

/** All that crosses a thread; types only. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/** One extracted item with its fields flat, and `_url`, `_finalUrl`, `_page`, `_at` beside them. */
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
  /** For user modules, where the page came from a server. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A link that is in scope and fits a page rule. */
export interface Link {
  /** Absolute, as it will be sent. */
  readonly url: string
  /** `urlKey` of it, made in the worker so that the main thread only looks it up. */
  readonly key: string
  readonly page: string
}

/** What read a page: tokens as they come, a tree, or a user's module. */
export type EngineName = 'stream' | 'tree' | 'module'

export type ParseReply =
  | {
      readonly kind: 'parsed'
      /** JSON lines in UTF-8, each ended by a line feed; empty when `objects` were wanted. */
      readonly output: Uint8Array<ArrayBuffer>
      /** Empty when `bytes` were wanted. */
      readonly items: readonly Item[]
      readonly itemCount: number
      readonly links: readonly Link[]
      readonly charset: string
      readonly engine: EngineName
      readonly decodedBytes: number
      /** How long its thread was busy with the page: on a core of its own, what it cost. */
      readonly cpuMs: number
      /** Where the page sends its reader at once: it is a redirect then, and gives nothing else. Absolute and sendable. */
      readonly refresh?: string
      /** Items of a user module that are not JSON; the others of the page are kept. */
      readonly refused?: readonly Fault[]
      readonly queuedMs?: number
    }
  | {
      readonly kind: 'faulted'
      readonly fault: Fault
      readonly cpuMs: number
      /** From hand-over until a thread began; absent where nobody waits. Set by the pool, not by the worker. */
      readonly queuedMs?: number
    }
