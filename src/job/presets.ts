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
 *
 * `max` does not hold that pace back. By Little's law requests that leave each d seconds on average and are answered
 * after t are t / d in flight: 25 at 2 s and 50 at 1 s are enough for answers of 50 s, and the longest that are waited
 * for take 60 (`timeouts.totalMs`). Where a job shortens the delay, `max` is how far up the host's health may lead.
 *
 * `inFlight` counts over all hosts. Politeness is owed to each host; over all of them, what is spent is our own:
 * sockets, memory, the parse stage.
 */
export const presets: Readonly<Record<Job['preset'], Preset>> = {
  /**
   * Somebody's small server, or no arrangement at all: about one reader's clicks, a thousand pages an hour. 5 in flight
   * are less than the six connections of one browser, and keep the pace up to answers of 17 s: a server that takes
   * longer than that is to be asked less.
   */
  polite: {
    perHost: { policy: 'aimd', start: 2, max: 5 },
    rate: null,
    delayMs: { min: 2_000, max: 5_000 },
    // In all: the names of a job may be those of one small server.
    inFlight: 5,
  },
  /** Public sites of ordinary size: two thousand pages an hour, each host a reader who skims. */
  general: {
    perHost: { policy: 'aimd', start: 2, max: 25 },
    rate: null,
    delayMs: { min: 1_000, max: 3_000 },
    // A quarter of the 1,024 open files that many systems allow a process, so that sockets never run out.
    inFlight: 256,
  },
  /**
   * Large sites, or many hosts at once. A page a second is little to a site that serves hundreds of them, and 86,400 a
   * day: with `general` a site of a million takes three weeks, with this one twelve days. No faster than that unless a job
   * says so: nobody but its author knows what was agreed.
   */
  bulk: {
    perHost: { policy: 'aimd', start: 2, max: 50 },
    rate: null,
    delayMs: { min: 500, max: 1_500 },
    // 500 hosts that answer within a second, each at its pace. Half of those open files; connections that are kept
    // between requests are another quarter at the most.
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
