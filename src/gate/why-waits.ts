import { isGivenUp, whyGivenUp } from './circuit.ts'
import { gapMsOf, grantTokenAtMs, isAwaited } from './host-pace.ts'
import { type HostLane, isProbed } from './lane.ts'
import type { LanePause } from './lane-stats.ts'

/** As a person reads it, never less than it is. */
export const seconds = (durationMs: number): string =>
  durationMs < 10_000 ? `${Math.ceil(durationMs / 100) / 10} s` : `${Math.ceil(durationMs / 1_000)} s`

/**
 * What keeps the next request of this host from leaving, in a few words, the count of its permits first: "limit 4,
 * 4 in flight, paused 12 s: Retry-After of 30 s". All that holds is said, as the longest of them decides.
 */
export function whyWaits(lane: HostLane, lastPause: LanePause | null, nowMs: number): string {
  const { limiter, inFlight, unsent, circuit, lastDepartureMs, spacingMs, delayMs } = lane
  if (isGivenUp(circuit, nowMs)) return whyGivenUp(circuit, nowMs)
  const parts = [`limit ${limiter.limit}`, `${inFlight} in flight`]
  const pausedMs = Math.max(limiter.readyAtMs, lane.pausedUntilMs) - nowMs
  if (pausedMs > 0) parts.push(`paused ${seconds(pausedMs)}${lastPause === null ? '' : `: ${lastPause.reason}`}`)
  else if (isProbed(lane)) parts.push(lane.probes > 0 ? 'waiting for its one probe' : 'one probe may go')
  if (isAwaited(lane)) parts.push(unsent > 1 ? `${unsent} before have not left yet` : 'the one before has not left yet')
  const spacedMs = lastDepartureMs + gapMsOf(lane) - nowMs
  if (spacedMs > 0) parts.push(`next departure in ${seconds(spacedMs)}${spacingMs >= delayMs ? ' (Crawl-delay)' : ''}`)
  const tokenMs = grantTokenAtMs(lane) - nowMs
  if (tokenMs > 0 && Number.isFinite(tokenMs)) parts.push(`next token of its rate in ${seconds(tokenMs)}`)
  return parts.join(', ')
}
