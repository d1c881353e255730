import type { Reading } from '../core/outcome.ts'
import type { HostKey } from '../core/url.ts'

/** The right to have one request on a host under way. */
export interface Permit extends Disposable {
  readonly host: HostKey
  readonly grantedMs: number
  /** On this host when granted, this one included. */
  readonly inFlight: number
  /** One-shot: the network part is over and the host is free again. Disposing without it teaches nothing. */
  settle(reading: Reading): void
}

/** Room for one page in memory, held until the page is committed. */
export interface PageSlot extends Disposable {
  /** The body grew by this much; beyond what was reserved it counts against the budget. */
  grow(bytes: number): void
}
