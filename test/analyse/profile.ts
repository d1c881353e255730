import { averagesOf, type RunProfile } from '../../src/analyse/run-profile.ts'

export const noWaits: RunProfile['waitMs'] = {
  hostSlot: 0,
  rate: 0,
  pause: 0,
  robots: 0,
  proxy: 0,
  pageBudget: 0,
  parse: 0,
  inFlight: 0,
  turn: 0,
}

/** A run of ten seconds that nothing bound: 100 pages a second, 100 ms a request, 5 ms a page in one of two threads. */
export const calm: RunProfile = {
  durationMs: 10_000,
  pages: 1_000,
  threads: 2,
  cores: 8,
  foreignCores: 0,
  mainCpuMs: 500,
  cpuMs: 5_500,
  parseBusyMs: 5_000,
  parseQueueMs: 500,
  requestMs: 100_000,
  inFlightBound: 64,
  hostFullness: 0.3,
  raisableShare: 1,
  untriedShare: 0,
  proxyPlaces: null,
  pacedShare: 0,
  pageSlots: 4_000,
  commitMs: 100_000,
  sinkWrites: 100,
  sinkBusyMs: 200,
  sinkPageMs: null,
  // One URL stood first in line at any time.
  waitMs: { ...noWaits, hostSlot: 10_000 },
  counted: { inFlight: 10, parseQueue: 0.05, parsing: 0.5 },
  loopDelayMs: 0,
}

/** That run with changes, as it would have been counted. */
export function calmBut(changes: Partial<RunProfile>): RunProfile {
  const run = { ...calm, ...changes }
  const { meanInFlight, queued, parsing } = averagesOf(run)
  return { ...run, counted: { inFlight: meanInFlight, parseQueue: queued, parsing } }
}
