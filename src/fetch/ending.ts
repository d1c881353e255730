import type { Timing } from '../core/page.ts'
import type { ProxyFailure } from '../core/route.ts'
import type { AddressKind } from './address.ts'
import type { Limit } from './deadline.ts'

/** The head of an answer. */
export interface Head {
  readonly status: number
  /** Lower-case names; repeated headers are joined by a comma, save `location`, of which the first one counts. */
  readonly headers: Readonly<Record<string, string>>
  /** Each for itself: a date in it has a comma. */
  readonly setCookies: readonly string[]
}

/** What ends an attempt from outside: the caller, or one of its clocks. */
export type Cut = { readonly kind: 'aborted' } | { readonly kind: 'expired'; readonly limit: Limit }

/** How far an attempt had come when it ended. */
export interface Progress {
  readonly head: Head | null
  /** Of the body, as sent. */
  readonly bodyBytes: number
  /** Null when no byte of an answer came. */
  readonly timing: Timing | null
}

export const noProgress: Progress = { head: null, bodyBytes: 0, timing: null }

/** Where it broke: `answer` is everything after the connection stood. */
export type Stage = 'lookup' | 'connect' | 'handshake' | 'answer'

export interface Broken {
  readonly kind: 'broken'
  readonly stage: Stage
  readonly error: Error
  /** The other side said that it sends no more. */
  readonly isEnded: boolean
  readonly progress: Progress
}

/** The way to the host ended at a proxy. */
export interface ProxyFault {
  readonly kind: 'proxy-failed'
  readonly failure: ProxyFailure
  /** What the proxy answered; null: nothing. */
  readonly status: number | null
  /** Of the route. */
  readonly label: string
  /** Why, in words; no credentials. */
  readonly detail: string
}

/** What one attempt came to, before `classify` says what that means. */
export type Ending =
  /** The body is whole for a success, and empty for every other status. */
  | {
      readonly kind: 'answered'
      readonly head: Head
      readonly body: Uint8Array<ArrayBuffer>
      /** Whose the address was that it came from. */
      readonly from: AddressKind
      readonly timing: Timing
    }
  /** We would not have the body. */
  | {
      readonly kind: 'refused'
      readonly code: 'CONTENT_TYPE' | 'BODY_TOO_LARGE'
      readonly detail: string
      readonly head: Head
      readonly timing: Timing
    }
  /** Where it leads is not for strangers to name: no address that may be gone to. */
  | { readonly kind: 'barred'; readonly addresses: readonly string[] }
  | { readonly kind: 'cut'; readonly cut: Cut; readonly progress: Progress }
  | Broken
  | ProxyFault
