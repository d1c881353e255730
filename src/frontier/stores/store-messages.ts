import type { Column } from '../../stage/columns.ts'
import type { IdPrints } from './known-ids.ts'
import type { LaneLeft, Recovered, RowBatch, TaskRow } from './task-rows.ts'

/** All that crosses to the thread of a durable store and back; types only. */

export type StoreRequest =
  | { readonly kind: 'commit'; readonly batch: RowBatch }
  | { readonly kind: 'pending'; readonly afterRow: number; readonly max: number }
  | { readonly kind: 'lanes' }
  | { readonly kind: 'shelf'; readonly wanted: readonly { readonly lane: number; readonly max: number }[] }
  | { readonly kind: 'writeMeta'; readonly key: string; readonly value: string }
  | { readonly kind: 'close' }

export interface StoreOpened {
  readonly recovered: Recovered
  readonly rows: number
  readonly known: IdPrints
  readonly meta: Readonly<Record<string, string>>
}

export type StoreReply =
  | { readonly kind: 'opened'; readonly opened: StoreOpened }
  | { readonly kind: 'tasks'; readonly number: number; readonly rows: readonly TaskRow[] }
  | { readonly kind: 'lanes'; readonly number: number; readonly lanes: readonly LaneLeft[] }
  | { readonly kind: 'ended'; readonly number: number }
  /** `number` 0: it could not be opened. */
  | { readonly kind: 'failed'; readonly number: number; readonly message: string }

/** What the thread is given when it starts. */
export interface StoreSetup {
  readonly path: string
  readonly metaKeys: readonly string[]
  readonly itemColumns: readonly Column[] | null
}
