import type { ParseRequest } from '../core/wire.ts'
import type { StageRules } from '../stage/stage.ts'

/** What a worker is given once, when it starts. */
export interface WorkerSetup {
  readonly rules: StageRules
  /** One cell a lane: when the lane's task began to run, on the clock all threads share; 0 before that. */
  readonly startedAtMs: Float64Array<SharedArrayBuffer>
}

/** What a worker is given for each page. */
export interface WorkerTask {
  readonly request: ParseRequest
  /** Index into `startedAtMs`. */
  readonly lane: number
}
