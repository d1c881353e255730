import type { HostPolicy, Job } from './job.ts'

export interface Preset extends HostPolicy {
  readonly inFlight: number
}

/**
 * How fast a job goes where it says nothing else. Every preset starts at 2 in flight per host and lets the host's
 * health decide how far up it goes: a newcomer that opens with more shows on any monitoring. `max` is the bound that
 * only a recorded reason lifts for a single host.
 *
 * The delay is what a host notices first, so it decides the pace: one page per two seconds and host with `general`.
 * It is a range because evenly spaced requests beat against other clients' and against cron jobs of the server.
 * `inFlight` counts over all hosts. Politeness is owed to each host; over all of them, what is spent is our own:
 * sockets, memory, the parse stage.
 */
export const presets: Readonly<Record<Job['preset'], Preset>> = {
  /** Somebody's small server, or no arrangement at all: about one reader's clicks. Never above 5 at a time, in all. */
  polite: {
    perHost: { policy: 'aimd', start: 2, max: 5 },
    rate: null,
    delayMs: { min: 2_000, max: 5_000 },
    inFlight: 5,
  },
  /** Public sites of ordinary size. 25 in flight is what slow answers need to keep the pace of the delay. */
  general: {
    perHost: { policy: 'aimd', start: 2, max: 25 },
    rate: null,
    delayMs: { min: 1_000, max: 3_000 },
    // A quarter of the 1,024 open files that many systems allow a process, so that sockets never run out.
    inFlight: 256,
  },
  /** Large sites, or many hosts at once. */
  bulk: {
    perHost: { policy: 'aimd', start: 2, max: 50 },
    rate: null,
    delayMs: { min: 500, max: 1_500 },
    inFlight: 512,
  },
}

/** Hosts of one's own machine, unless the job speaks of `perHost`, `rate` or `delayMs`. Nobody is harmed there. */
export const openPolicy: HostPolicy = {
  // 64 in flight keep a local server and the workers busy; more only lengthens queues.
  perHost: { policy: 'fixed', max: 64 },
  rate: null,
  delayMs: { min: 0, max: 0 },
}
