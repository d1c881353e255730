import type { Answer } from './cache.ts'
import type { Selection } from './selection.ts'

/** All that crosses to the thread of a cache and back; types only. Times are wall time in milliseconds. */

export interface CacheSetup {
  readonly folder: string
  /** Ceiling of all that is stored. */
  readonly maxBytes: number
}

/** An answer as it is written: its body is moved, so that the page goes its own way with another one. */
export interface Entry extends Answer {
  readonly key: string
  readonly selection: Selection
  /** Without credentials; for people who look into the file. */
  readonly url: string
  readonly cameAtMs: number
  readonly freshUntilMs: number
}

/** An entry as it is found, with its number. */
export interface Found extends Answer {
  readonly id: number
  readonly cameAtMs: number
  readonly freshUntilMs: number
}

/** What its host said anew of an entry. */
export interface Confirmed {
  readonly id: number
  readonly headers: Answer['headers']
  readonly cameAtMs: number
  readonly freshUntilMs: number
}

export interface Question {
  readonly key: string
  /** Those that are sent, flat. */
  readonly headers: readonly string[]
  /** Whatever cookies, user agent and codings it was sent for. */
  readonly isLoose: boolean
  readonly nowMs: number
}

export type CacheRequest =
  | { readonly kind: 'find'; readonly number: number; readonly question: Question }
  | { readonly kind: 'keep'; readonly entry: Entry }
  | { readonly kind: 'confirm'; readonly confirmed: Confirmed }
  | { readonly kind: 'drop'; readonly key: string }
  | { readonly kind: 'close' }

/** When each stored answer came and how long it is fresh, beside their keys. */
export interface Contents {
  readonly keys: readonly string[]
  readonly cameAtMs: Float64Array<ArrayBuffer>
  readonly freshUntilMs: Float64Array<ArrayBuffer>
}

export type CacheReply =
  | { readonly kind: 'opened'; readonly contents: Contents }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'found'; readonly number: number; readonly found: Found | null }
  /** So many bytes of bodies are written, or will never be. */
  | { readonly kind: 'written'; readonly bytes: number }
  /** Something is wrong with the store, in a sentence. */
  | { readonly kind: 'troubled'; readonly reason: string }
