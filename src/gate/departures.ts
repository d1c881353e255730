import type { Env } from '../core/clock.ts'
import { departureAtMs, isPaced, letGo, noteReady } from './host-pace.ts'
import { type HostLane, isTurnedAway, type LaneGrant } from './lane.ts'

/**
 * The requests of each host that could be written and wait for their turn to be: first come, first served. Where the host
 * is closed by then they are withdrawn, and so are those in line when it closes: between the grant of a request and its
 * turn lies all the time that a connection takes, and what a host sees is what is written.
 */
export interface Departures {
  /** True: its turn has come. False: it is withdrawn. Else resolves with either; with false, too, when it is dropped. */
  join(lane: HostLane, grant: LaneGrant): boolean | Promise<boolean>
  /** The lane may be closed from now on. */
  closed(lane: HostLane): void
  /** It will not leave any more; nothing happens when it does not wait. */
  drop(lane: HostLane, grant: LaneGrant): void
}

interface Line {
  /** Those who wait, in the order in which they came, and what tells each whether it may go. */
  readonly waiting: Map<LaneGrant, (mayLeave: boolean) => void>
  /** For the turn of the first of them; null when nobody waits. */
  timer: Disposable | null
}

export function createDepartures({ clock, random }: Pick<Env, 'clock' | 'random'>): Departures {
  const lines = new WeakMap<HostLane, Line>()

  function leaveInTurn(lane: HostLane, line: Line): void {
    line.timer = null
    for (const [grant, tell] of line.waiting) {
      const waitMs = departureAtMs(lane) - clock.nowMs()
      if (waitMs > 0) {
        line.timer = clock.after(waitMs, () => leaveInTurn(lane, line))
        return
      }
      line.waiting.delete(grant)
      letGo(lane, grant, clock.nowMs(), random)
      tell(true)
    }
  }

  function leave(line: Line, grant: LaneGrant): void {
    const tell = line.waiting.get(grant)
    if (tell === undefined) return
    line.waiting.delete(grant)
    tell(false)
    if (line.waiting.size > 0) return
    line.timer?.[Symbol.dispose]()
    line.timer = null
  }

  function isWithdrawn(lane: HostLane, grant: LaneGrant): boolean {
    grant.isWithdrawn = isTurnedAway(lane, grant, clock.nowMs())
    return grant.isWithdrawn
  }

  return {
    join(lane, grant) {
      if (isWithdrawn(lane, grant)) return false
      if (!isPaced(lane)) return true
      const line = lines.get(lane) ?? { waiting: new Map(), timer: null }
      noteReady(lane, grant, clock.nowMs())
      if (line.waiting.size === 0 && departureAtMs(lane) <= clock.nowMs()) {
        letGo(lane, grant, clock.nowMs(), random)
        return true
      }
      lines.set(lane, line)
      return new Promise(resolve => {
        line.waiting.set(grant, resolve)
        if (line.timer === null) leaveInTurn(lane, line)
      })
    },
    closed(lane) {
      const line = lines.get(lane)
      if (line === undefined) return
      for (const grant of line.waiting.keys()) if (isWithdrawn(lane, grant)) leave(line, grant)
    },
    drop(lane, grant) {
      const line = lines.get(lane)
      if (line !== undefined) leave(line, grant)
    },
  }
}
