import type { Fault } from '../core/errors.ts'
import type { Reading } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { WaitCause } from '../core/waits.ts'

/** The right to have one request on a host under way. */
export interface Permit extends Disposable {
  readonly host: HostKey
  readonly grantedMs: number
  /** Requests under way on this host when it was granted, this one included. */
  readonly inFlight: number
  /**
   * The request could be written: true when it may be at once, false when it may not any more, since its host was closed
   * meanwhile. Else it waits for either, and for false when the permit comes back before. Asked before each time it is
   * written.
   */
  depart(): boolean | Promise<boolean>
  /**
   * `depart` said that it may not be written. Disposing then gives back all that it had, as if it had never been granted,
   * and its task is granted another one once the host is open.
   */
  readonly isWithdrawn: boolean
  /** The request is written: the host sees it now, and what is spaced is counted from here. Again, when it is written again. */
  sent(): void
  /** One-shot: the network part is over and the host is free again. Disposing without it teaches nothing. */
  settle(reading: Reading): void
  /**
   * After `settle`, once the page was read: it was a block. Counts in block rates alone: its answer has taught what it
   * had to teach by then, and would be told twice.
   */
  unmask(): void
}

/** What is known of hosts beside whether they are open. */
export interface HostCare {
  /** What a host that is not ready waits for. */
  causeOf(host: HostKey): WaitCause
  /** With so many more in flight the next request would stand in the host's queue: others need the place more. */
  hasEnough(host: HostKey, more: number): boolean
  /** The host is dead: its URLs end without being asked for. */
  isGivenUp(host: HostKey): boolean
  /** How a URL of a host that was given up ends; null: its host was not. */
  givenUpFault(task: Task): Fault | null
  /** How long a retry on this host must wait for its turn, which it takes; null: the host gets no more of them. */
  takeRetry(host: HostKey): number | null
}

/** Room for one page in memory, held until the page is committed. */
export interface PageSlot extends Disposable {
  /** The body grew by this much; beyond what was reserved it counts against the budget. */
  grow(bytes: number): void
  /**
   * How large the whole body is or will be, as soon as that is known, and again once it has come: it counts in place of
   * what was reserved. Other pages of the host are taken to need as much.
   * @param isPage false: a robots file or a sitemap, which says nothing of pages
   */
  expect(wholeBytes: number, isPage: boolean): void
}
