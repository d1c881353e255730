import type { Deadline } from './deadline.ts'
import type { FetchRequest } from './fetcher.ts'
import type { Guard } from './guard.ts'

/** When one request may be written, as its gate says. */
export interface Turn {
  /** For so long it was held back, in all: more than once where a connection died meanwhile. */
  readonly heldMs: number
  /**
   * Waits until it may be written, with no clock running against the host. False: it may not any more. True as well where
   * the attempt is cut meanwhile: whoever goes on is told of that.
   */
  hasCome(): Promise<boolean>
}

/** @param depart left out: it may be written whenever it can be */
export function createTurn(depart: FetchRequest['depart'], deadline: Deadline, guard: Guard): Turn {
  let heldMs = 0
  return {
    get heldMs() {
      return heldMs
    },
    async hasCome() {
      const mayLeave = depart?.() ?? true
      if (typeof mayLeave === 'boolean') return mayLeave
      const fromMs = deadline.enter('holding')
      const isLeaving = await guard.cutOr(mayLeave)
      heldMs += deadline.enter('waiting') - fromMs
      return isLeaving
    },
  }
}
