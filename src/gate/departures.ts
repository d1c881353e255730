import type { Env } from '../core/clock.ts'
import { departureAtMs, type HostPace, letGo, noteReady, type PaceGrant } from './host-pace.ts'

/** The requests of each host that could be written and wait for their turn to be: first come, first served. */
export interface Departures {
  /** Null: its turn has come. Else resolves when it has, or when the request is dropped. */
  join(pace: HostPace, grant: PaceGrant): Promise<void> | null
  /** It will not leave any more; nothing happens when it does not wait. */
  drop(pace: HostPace, grant: PaceGrant): void
}

interface Line {
  /** Those who wait, in the order in which they came, and what lets each go. */
  readonly waiting: Map<PaceGrant, () => void>
  /** For the turn of the first of them; null when nobody waits. */
  timer: Disposable | null
}

export function createDepartures({ clock, random }: Pick<Env, 'clock' | 'random'>): Departures {
  const lines = new WeakMap<HostPace, Line>()

  function leaveInTurn(pace: HostPace, line: Line): void {
    line.timer = null
    for (const [grant, go] of line.waiting) {
      const waitMs = departureAtMs(pace) - clock.nowMs()
      if (waitMs > 0) {
        line.timer = clock.after(waitMs, () => leaveInTurn(pace, line))
        return
      }
      line.waiting.delete(grant)
      letGo(pace, grant, clock.nowMs(), random)
      go()
    }
  }

  return {
    join(pace, grant) {
      const line = lines.get(pace) ?? { waiting: new Map(), timer: null }
      noteReady(pace, grant, clock.nowMs())
      if (line.waiting.size === 0 && departureAtMs(pace) <= clock.nowMs()) {
        letGo(pace, grant, clock.nowMs(), random)
        return null
      }
      lines.set(pace, line)
      return new Promise(resolve => {
        line.waiting.set(grant, resolve)
        if (line.timer === null) leaveInTurn(pace, line)
      })
    },
    drop(pace, grant) {
      const line = lines.get(pace)
      const go = line?.waiting.get(grant)
      if (line === undefined || go === undefined) return
      line.waiting.delete(grant)
      go()
      if (line.waiting.size > 0) return
      line.timer?.[Symbol.dispose]()
      line.timer = null
    },
  }
}
