import type { AbortHub } from '../core/abort-hub.ts'
import type { Clock } from '../core/clock.ts'
import type { Timeouts } from '../job/job.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import type { Cut } from './ending.ts'
import type { Pulse } from './pulse.ts'

/** All that may end one attempt from outside, its signal and its clocks, as one thing: whichever comes first cuts. */
export interface Guard extends Disposable {
  /** The clocks run from here on: waiting for a place on the host is nobody's fault. */
  start(): Deadline
  /** Names the one who is told of the cut, in place of the one before; at once when it has already happened. */
  whenCut(tell: (cut: Cut) => void): void
  /** Resolves with what is awaited, or before it with true when this cuts: whoever goes on is told so. */
  cutOr(awaited: Promise<boolean>): Promise<boolean>
}

/** What the attempts of one fetcher share. */
export interface Watch {
  readonly clock: Clock
  readonly pulse: Pulse
  readonly hub: AbortHub
  readonly timeouts: Timeouts
}

export function createGuard({ clock, pulse, hub, timeouts }: Watch, signal: AbortSignal): Guard {
  pulse.keep()
  let cut: Cut | null = null
  let listener: ((cut: Cut) => void) | null = null
  let deadline: Deadline | null = null

  function end(how: Cut): void {
    if (cut !== null) return
    cut = how
    listener?.(how)
  }
  const abort = (): void => end({ kind: 'aborted' })

  hub.add(signal, abort)

  function whenCut(tell: (cut: Cut) => void): void {
    listener = tell
    if (cut !== null) tell(cut)
  }

  return {
    start() {
      deadline ??= createDeadline(clock, pulse, timeouts, limit => end({ kind: 'expired', limit }))
      return deadline
    },
    whenCut,
    cutOr: awaited =>
      new Promise(resolve => {
        whenCut(() => resolve(true))
        void awaited.then(resolve)
      }),
    [Symbol.dispose]() {
      listener = null
      deadline?.[Symbol.dispose]()
      pulse.release()
      hub.remove(signal, abort)
    },
  }
}
