import { type Gate, mustBeOpen, once } from '../core/gate.ts'
import type { PageSlot } from './permit.ts'

export interface PageBudgetOptions {
  /** Bytes of all bodies held, from the first byte to the commit. */
  readonly totalBytes: number
  /** What a page is taken to need until more of it has come. */
  readonly reserveBytes: number
  /** Bytes came back: whoever was told Infinity may ask again. */
  readonly onReturned: () => void
}

export interface PageBudget extends Gate<PageSlot> {
  readonly heldBytes: number
  readonly peakBytes: number
  /** Slots out. */
  readonly pages: number
}

/**
 * Memory as a number chosen beforehand. A slot is held until its page is committed, so a slow parser or sink closes
 * admission by itself. The bound is soft by what is under way: a body that grows beyond its reserve is counted, not
 * stopped. With nothing held it is always open, or a page larger than the budget could never be fetched.
 */
export function createPageBudget({ totalBytes, reserveBytes, onReturned }: PageBudgetOptions): PageBudget {
  let heldBytes = 0
  let peakBytes = 0
  let pages = 0

  function hold(bytes: number): void {
    heldBytes += bytes
    peakBytes = Math.max(peakBytes, heldBytes)
  }

  const readyAtMs = (): number => (pages === 0 || heldBytes + reserveBytes <= totalBytes ? 0 : Number.POSITIVE_INFINITY)

  return {
    get heldBytes() {
      return heldBytes
    },
    get peakBytes() {
      return peakBytes
    },
    get pages() {
      return pages
    },
    readyAtMs,
    acquire(host) {
      mustBeOpen(readyAtMs(), 0, 'the page budget', host)
      let bodyBytes = 0
      let countedBytes = reserveBytes
      let isHeld = true
      pages += 1
      hold(reserveBytes)
      return {
        grow(bytes) {
          if (!isHeld) return
          bodyBytes += bytes
          const moreBytes = Math.max(0, bodyBytes - countedBytes)
          countedBytes += moreBytes
          hold(moreBytes)
        },
        [Symbol.dispose]: once(() => {
          isHeld = false
          pages -= 1
          heldBytes -= countedBytes
          onReturned()
        }),
      }
    },
  }
}
