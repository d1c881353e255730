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
}

export function createLedger(): Ledger {
  const ended = { done: 0, failed: 0, skipped: 0 }
  const skips: Record<SkipReason, number> = { robots: 0, 'out-of-scope': 0, 'redirected-to-known': 0, budget: 0 }
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
    skip(reason) {
      mustPend()
      ended.skipped += 1
      skips[reason] += 1
    },
  }
}
