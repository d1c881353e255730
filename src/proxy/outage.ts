import type { Clock } from '../core/clock.ts'
import { type Fault, faultOf } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import { type HostKey, withoutCredentials } from '../core/url.ts'
import type { Exit } from './exit.ts'

/** That an exit is of no use, to anybody or at one host. */
export interface Closure {
  /** When it last did its part, or failed for the first time. */
  readonly sinceMs: number
  /** When the last attempt that was to find out failed. */
  readonly failedAtMs: number
  /** So often it was left alone, in a row. */
  readonly failures: number
  readonly code: 'PROXY_FAILED' | 'BLOCKED'
  /** What it last did wrong, in a word; null: it is left alone for the sake of its neighbours. */
  readonly reason: string | null
}

/**
 * When to stop waiting for exits that are all closed. Each is tried now and then, ever more seldom, and most tries cost no
 * URL anything, since any other would have fared as badly; those that do cost one of one URL, and a thousand URLs would
 * take weeks to end. Hence, as with a host that is dead (`gate/circuit.ts`), of the exits that a task may take
 *
 *     since      the last of them did its part, or failed for the first time
 *     given up   when a try fails, the fifth at least, three times as long after that as a URL may be kept waiting (a minute
 *                or more)
 *     then       tasks end with that reason, without being asked for, for ten minutes; after that one may go, and is the
 *                next try: an answer ends the outage, another failure gives them up again at once
 *
 * Three times, because far more is lost than with a host: it may be all that is left of the run.
 */
export interface Outage extends Closure {
  readonly exitCount: number
}

const fewestFailures = 5
const shortestMs = 60_000
const patience = 3
const givenUpForMs = 600_000

export interface Outages {
  /** Null: one of them is open to the host, as far as is known, or there are none. */
  of(exits: readonly Exit[], host: HostKey): Outage | null
  /** One that is waited for no longer; null: there is none, or the next try is due. */
  givenUp(exits: readonly Exit[], host: HostKey): Outage | null
}

function closureOf({ coolDown, goodAtMs, lastFault: reason }: Exit): Closure | null {
  if (coolDown === null) return null
  const sinceMs = Math.max(coolDown.sinceMs, goodAtMs)
  return { sinceMs, failedAtMs: coolDown.begunMs, failures: coolDown.step + 1, code: 'PROXY_FAILED', reason }
}

/** As closed as the one that closed last, for the reason that showed last. */
function both(one: Closure, other: Closure): Closure {
  const [last, first] = one.failedAtMs > other.failedAtMs ? [one, other] : [other, one]
  const sinceMs = Math.max(one.sinceMs, other.sinceMs)
  return { ...last, sinceMs, failures: one.failures + other.failures, reason: last.reason ?? first.reason }
}

/**
 * @param refusalOf why a region of exits is closed to a host alone
 * @param waitMs how long a URL may be kept waiting
 */
export function createOutages(
  refusalOf: (host: HostKey, region: string) => Closure | null,
  waitMs: number,
  clock: Pick<Clock, 'nowMs'>,
): Outages {
  const patienceMs = Math.max(shortestMs, patience * waitMs)

  function outageOf(exits: readonly Exit[], host: HostKey): Outage | null {
    // Asked for each page: as long as one is open, and there may be thousands before it, nothing is made of the others.
    if (exits.some(exit => exit.coolDown === null && refusalOf(host, exit.region) === null)) return null
    let all: Closure | null = null
    for (const exit of exits) {
      const closure = closureOf(exit) ?? refusalOf(host, exit.region)
      if (closure === null) return null
      all = all === null ? closure : both(all, closure)
    }
    return all === null ? null : { ...all, exitCount: exits.length }
  }

  return {
    of: outageOf,
    givenUp(exits, host) {
      const outage = outageOf(exits, host)
      if (outage === null || outage.failures < fewestFailures) return null
      const { sinceMs, failedAtMs } = outage
      return failedAtMs - sinceMs >= patienceMs && clock.nowMs() < failedAtMs + givenUpForMs ? outage : null
    },
  }
}

/** How a URL ends that is not asked for any more. */
export function givenUpFault({ sinceMs, failedAtMs, code, reason, exitCount }: Outage, { url }: Task): Fault {
  const many = `of ${exitCount} proxies that it may take none has`
  const none = exitCount === 1 ? 'the only proxy that it may take has not' : many
  const minutes = Math.max(1, Math.round((failedAtMs - sinceMs) / 60_000))
  const last = reason === null ? '' : ` (last: ${reason})`
  return faultOf(code, `${withoutCredentials(url)} was not asked for: ${none} worked for ${minutes} min${last}`)
}
