import type { Fault } from '../core/errors.ts'
import type { JobOverride } from '../job/job-override.ts'
import type { Dials } from './figures.ts'
import type { RowTask } from './run-row.ts'

/** A job file, as each process of a bench reads it for itself: modules cannot be sent. Null: pages that are made. */
export type JobSource = {
  readonly file: string
  readonly overrides: readonly JobOverride[]
  readonly paths: readonly string[]
} | null

/** What may be asked of a process of the bench. */
export type Question =
  | { readonly ask: 'serve'; readonly source: JobSource; readonly pageBytes: number; readonly dials: Dials }
  /** The answers of a recording: where they are, and how late, is said by each request. */
  | { readonly ask: 'replay'; readonly answers: string }
  | { readonly ask: 'seen' }
  | { readonly ask: 'row'; readonly source: JobSource; readonly task: RowTask }

/** To `serve`; to `replay` the origin alone. */
export interface Serving {
  readonly origin: string
  readonly rules: readonly string[]
  readonly meanBytes: number
}

export type Reply = { readonly answer: unknown } | { readonly fault: Fault }
