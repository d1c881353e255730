import type { Clock } from '../core/clock.ts'

/**
 * How long our own event loop was blocked, in all. A timer that should beat every `beatMs` and comes later tells by how
 * much: in that time no host could have reached us, and none is blamed for it.
 */
export interface Pulse {
  readonly lostMs: number
  /** Beats until released as often as kept. No object is made of it: each attempt keeps it. */
  keep(): void
  release(): void
}

const beatMs = 100

/** Below this a late timer is the grain of timers, and of pages coming in. */
const grainMs = 50

export function createPulse(clock: Clock): Pulse {
  let lostMs = 0
  let keepers = 0
  let timer: Disposable | null = null

  function beat(): void {
    const dueAtMs = clock.nowMs() + beatMs
    timer = clock.after(beatMs, () => {
      const lateMs = clock.nowMs() - dueAtMs
      if (lateMs > grainMs) lostMs += lateMs
      beat()
    })
  }

  return {
    get lostMs() {
      return lostMs
    },
    keep() {
      if (keepers === 0) beat()
      keepers += 1
    },
    release() {
      keepers -= 1
      if (keepers === 0) timer?.[Symbol.dispose]()
    },
  }
}
