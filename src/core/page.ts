import type { Reach, Task } from './task.ts'

/**
 * All on `Clock`. Limiters learn from `firstByteMs`, which starts when the request is written: neither our own queue
 * nor the time a proxy takes to connect is latency of the host. Budgets look at `totalMs`.
 */
export interface Timing {
  readonly connectMs: number
  /** What of `connectMs` the TLS handshake took. Left out: there was none, or nobody measured it. */
  readonly tlsMs?: number
  readonly firstByteMs: number
  readonly totalMs: number
}

/** A whole answer with a body to parse. */
export interface Page {
  readonly task: Task
  readonly status: number
  /** Lower-case names; repeated headers are joined by a comma, as HTTP allows. */
  readonly headers: Readonly<Record<string, string>>
  /** As it came off the wire, still content-coded. Sole owner of its memory; gone after hand-off to the parser. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly timing: Timing
  /** ISO wall time at which a stored answer came, or was last confirmed by its host. Left out: it came just now. */
  readonly cameAt?: string
  /** What its links may lead to. */
  readonly reach: Reach
}
