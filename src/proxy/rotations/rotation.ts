import type { HostKey } from '../../core/url.ts'

/** An exit as a rotation sees it. */
export interface ExitView {
  readonly label: string
  /** As the job says. */
  readonly weight: number
  /** In (0, 1]. */
  readonly score: number
  readonly inFlight: number
  readonly uses: number
  /** Number of its last lease among all of the pool; 0: never used. */
  readonly turn: number
}

/**
 * Chooses among exits that are open, one at least. A function of its arguments: what it must remember is in the views.
 * @param random in [0, 1)
 * @returns one of the candidates
 */
export type Rotation = (candidates: readonly ExitView[], host: HostKey, random: () => number) => ExitView | undefined
