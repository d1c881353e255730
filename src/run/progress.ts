/** What a run has done so far. */
export interface Progress {
  readonly discovered: number
  /** Done, failed or skipped. */
  readonly ended: number
  readonly failed: number
  readonly pending: number
  readonly items: number
  readonly inFlight: number
  readonly parseQueue: number
}
