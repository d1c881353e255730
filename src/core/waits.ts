import type { HostKey } from './url.ts'

/** What the next task of a host may wait for before it is admitted. */
export type WaitCause =
  /** All requests that the limit of its host, of its address or of its domain allows are under way. */
  | 'hostSlot'
  /** Departures are kept apart: a rate, a delay, a Crawl-delay. */
  | 'rate'
  /** Its host asked to be left alone, or is in trouble. */
  | 'pause'
  /** Its robots file is being read. */
  | 'robots'
  /** No proxy that it may take is free. */
  | 'proxy'
  /** Pages that are held fill the memory that they may have. */
  | 'pageBudget'
  /** Pages that came wait for a thread: no more are asked for than the threads keep up with. */
  | 'parse'
  /** `limits.inFlight` requests are under way. */
  | 'inFlight'
  /** Nothing of all that: other hosts went first, or the main thread was busy. */
  | 'turn'

/**
 * Where time goes before a task is admitted, at the cost of a few numbers for each host and none for a task.
 *
 * What counts is the task that stands first in the line of its host: those behind it wait for it, and adding their times
 * up would count one cause as often as the line is long. From the moment a task is first in line until it is taken, the
 * time is cut at the moments that are known anyway: when the gates of its host are asked and name a time (the cause is
 * asked for then, once), when that time has come or the host is woken, when its gates are asked again, and when it is
 * taken. Each piece belongs to the cause that held there. Between the opening of its own gates and the next question the
 * gates that all hosts share decide, or nothing but the turn. So the pieces add up exactly to the time as first in line;
 * what is not exact is a cause that gives way to another while nobody asks, which counts as the first until somebody does.
 */
export interface Waits {
  /** Why a host that has just said that it is not ready is not. */
  causeOf(host: HostKey): WaitCause
  /** What has kept hosts that were ready, if anything has since then. */
  sharedSince(sinceMs: number): WaitCause
  /** Somebody who stood first in line waited for this. */
  note(cause: WaitCause, waitedMs: number): void
}
