/** How a trap is told: `src/scope/trap.ts` says what each looks like. */
export type TrapKind = 'repeating-segments' | 'deep-path' | 'calendar' | 'parameters' | 'session'

/** One trap that a run met. */
export interface TrapReport {
  readonly kind: TrapKind
  /** What its URLs have in common. */
  readonly pattern: string
  /** URLs of it that were not followed. */
  readonly urls: number
  /** One of them. */
  readonly example: string
}
