import type { Task } from '../core/task.ts'

/** A whole answer of a host. */
export interface Answer {
  readonly status: number
  /** Lower-case names; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  /** As it came, still content-coded. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Whose the address was that it came from. */
  readonly from: 'public' | 'private' | 'special'
}

/** One that was stored. Its body is the caller's own. */
export interface Recalled extends Answer {
  /** ISO wall time at which it came, or at which its host last said that it still holds. */
  readonly cameAt: string
}

/** What is asked for, and the headers that go with it: flat, name and value in turn. */
export interface Wanted {
  readonly task: Task
  readonly headers: readonly string[]
}

/** One request that does go to its host, with what is stored in mind. */
export interface Asking {
  /** To be sent beside the other headers, flat: whether what is stored still holds. Empty: nothing is, or may be used. */
  readonly conditions: readonly string[]
  /** Of the stored body, which is held meanwhile. */
  readonly bodyBytes: number
  /** What the host said: stored where it may be. The stored answer where the host says that it still holds, else null. */
  learn(answer: Answer): Recalled | null
}

export interface CacheCounts {
  /** Answers used without asking. */
  readonly hits: number
  /** Answers that their host said still hold. */
  readonly revalidated: number
  /** Answers written, those in place of older ones among them. */
  readonly stored: number
}

/**
 * Answers that outlive a run. Reading and writing happen in a thread of its own; a cache that cannot be read or written
 * says so once and is as good as empty, it never ends a run. Disposing writes what is still held.
 */
export interface HttpCache extends AsyncDisposable {
  readonly counts: CacheCounts
  /** Whether an answer is at hand that may be used without asking; by an index in memory, so that it may be wrong. */
  holds(wanted: Wanted): boolean
  /** That answer; null where there is none that is allowed after all, and `holds` says so from then on. */
  recall(wanted: Wanted, isAllowed: (stored: Recalled) => boolean): Promise<Recalled | null>
  ask(wanted: Wanted): Promise<Asking>
  /** What is stored of it was no page after all. */
  forget(wanted: Wanted): void
}
