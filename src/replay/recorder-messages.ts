import type { Attempt } from '../warc/attempt.ts'

/** What the thread of a recorder is given when it starts. */
export interface RecorderSetup {
  readonly path: string
  readonly goesOn: boolean
  readonly userAgent: string
  /** Who records. */
  readonly software: string
}

export type RecorderRequest =
  | { readonly kind: 'keep'; readonly attempt: Attempt; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'close' }

export type RecorderReply =
  | { readonly kind: 'opened' }
  /** Of what was handed over, so many bytes are written. */
  | { readonly kind: 'written'; readonly heldBytes: number }
  /** Nothing more is written. */
  | { readonly kind: 'failed'; readonly message: string }

/** An attempt without a body takes room, too. */
const attemptBytes = 1_024

export const heldBytesOf = (body: Uint8Array): number => body.byteLength + attemptBytes
