import type { Clock } from '../core/clock.ts'
import type { Standstill } from '../core/standstill.ts'
import type { UnderWay } from './under-way.ts'

export interface WatchdogOptions {
  readonly clock: Clock
  readonly underWay: Pick<UnderWay, 'size' | 'movedAtMs' | 'oldest'>
  readonly queued: () => number
  /** What a run waits for that has nothing under way; at most `max` sentences. */
  readonly waits: (max: number) => readonly string[]
  readonly tell: (standstill: Standstill) => void
}

export interface Watchdog extends Disposable {
  /** The run was asked to stop: somebody sits before a terminal and waits for it. */
  hurry(): void
  /** Null while things move. */
  read(): Standstill | null
}

/** Longer than a page of a slow host usually takes. */
const quietMs = 30_000
const quietInHurryMs = 3_000
/** How closely the bounds above are kept. */
const lookEveryMs = 1_000
const mostNamed = 5

/**
 * Tells of a run in which nothing moves any more, and tells it again each time that has lasted twice as long. It ends
 * nothing: deadlines do. What it is for is that nobody sits before a silent terminal and wonders.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { clock, underWay, queued, waits, tell } = options
  /** Quiet for so long, it is told again. */
  let toldMs = 0
  let boundMs = quietMs
  let timer = clock.after(lookEveryMs, look)

  function read(): Standstill | null {
    const quiet = clock.nowMs() - underWay.movedAtMs
    if (quiet < boundMs) return null
    return {
      quietMs: quiet,
      underWay: underWay.size,
      oldest: underWay.oldest(mostNamed),
      queued: queued(),
      waits: underWay.size > 0 ? [] : waits(mostNamed),
    }
  }

  function look(): void {
    timer = clock.after(lookEveryMs, look)
    const standstill = read()
    if (standstill === null) toldMs = 0
    else if (standstill.quietMs >= 2 * toldMs) {
      toldMs = standstill.quietMs
      tell(standstill)
    }
  }

  return {
    hurry() {
      boundMs = quietInHurryMs
      // What was told while nobody waited may be told again now.
      toldMs = 0
    },
    read,
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  }
}
