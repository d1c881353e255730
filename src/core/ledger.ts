import { MillraceError } from './errors.ts'
import type { SkipReason } from './fate.ts'

/** Every URL that was ever discovered is in exactly one of the other four. */
export interface LedgerCounts {
  readonly discovered: number
  readonly done: number
  readonly failed: number
  readonly skipped: number
  readonly pending: number
}

/** The counts of a run, and the only answer to "is it finished": nothing is pending. */
export interface Ledger {
  readonly counts: LedgerCounts
  readonly skips: Readonly<Record<SkipReason, number>>
  discover(urls: number): void
  end(how: 'done' | 'failed'): void
  skip(reason: SkipReason): void
  /** Counts of an earlier process, before anything else is counted. */
  restore(earlier: EarlierCounts): void
}

export interface EarlierCounts {
  readonly done: number
  readonly failed: number
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>
  readonly pending: number
}

export function createLedger(): Ledger {
  const ended = { done: 0, failed: 0, skipped: 0 }
  const skips: Record<SkipReason, number> = {
    robots: 0,
    'out-of-scope': 0,
    'redirected-to-known': 0,
    budget: 0,
    trap: 0,
    noindex: 0,
    canonical: 0,
    'same-content': 0,
  }
  let discovered = 0
  const pending = (): number => discovered - ended.done - ended.failed - ended.skipped
  function mustPend(): void {
    if (pending() < 1) throw new MillraceError('INVARIANT', 'the ledger ended a URL that was not pending')
  }
  return {
    get counts() {
      return { discovered, ...ended, pending: pending() }
    },
    skips,
    discover(urls) {
      discovered += urls
    },
    end(how) {
      mustPend()
      ended[how] += 1
    },
    restore({ done, failed, skips: earlier, pending: left }) {
      if (discovered > 0) throw new MillraceError('INVARIANT', 'a ledger that has counted already cannot be restored')
      ended.done = done
      ended.failed = failed
      for (const [reason, urls] of Object.entries(earlier) as [SkipReason, number][]) {
        skips[reason] = urls
        ended.skipped += urls
      }
      discovered = done + failed + ended.skipped + left
    },
    skip(reason) {
      mustPend()
      ended.skipped += 1
      skips[reason] += 1
    },
  }
}
