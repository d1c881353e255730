import type { Sample } from './limiter.ts'
import { beginLook, noteLook, type Routes, routesRatio } from './routes.ts'

/**
 * A dip: a short look at the host with so little load that it has no queue, to learn what "unloaded" means by now.
 * At most max(1, floor(0.8 limit / r)) requests are in flight until 32 answers granted within that bound are in. On a
 * slow host that would last for minutes, hence 8 answers are enough once 10 s have passed.
 */
export interface Dip {
  /** Requests in flight while it lasts. */
  readonly limit: number
  readonly begunMs: number
}

const loadRatio = 0.8
const answersWanted = 32
const answersEnough = 8
const longEnoughMs = 10_000

export function beginDip(fullLimit: number, routes: Routes, begunMs: number): Dip {
  const limit = Math.max(1, Math.floor((loadRatio * fullLimit) / routesRatio(routes)))
  beginLook(routes)
  return { limit, begunMs }
}

/** True: this was the last answer the dip needed. */
export function endsDip(
  dip: Dip,
  routes: Routes,
  { startedMs, inFlight, firstByteMs, nowMs, route = '' }: Sample,
): boolean {
  if (startedMs < dip.begunMs || inFlight > dip.limit || firstByteMs === null) return false
  const wanted = nowMs - dip.begunMs >= longEnoughMs ? answersEnough : answersWanted
  return noteLook(routes, route, firstByteMs) >= wanted
}
