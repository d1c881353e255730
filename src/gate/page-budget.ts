import { type Gate, mustBeOpen, once } from '../core/gate.ts'
import type { HostKey } from '../core/url.ts'
import type { PageSlot } from './permit.ts'

export interface PageBudgetOptions {
  /** Bytes of all bodies held, from the first byte to the commit. */
  readonly totalBytes: number
  /** What a page is taken to need until more of it has come, where its host's pages have not been larger. */
  readonly reserveBytes: number
  /** Bytes came back: hosts that were told Infinity may ask again. The host they came from is one of them, told or not. */
  readonly onReturned: (host: HostKey) => void
}

export interface PageBudget extends Gate<PageSlot> {
  readonly heldBytes: number
  readonly peakBytes: number
  /** Slots out. */
  readonly pages: number
}

/** What one host holds, and how large its pages have been. */
interface Holder {
  heldBytes: number
  pages: number
  meanBytes: number
}

/** How much of what is thought of a host's pages the next one decides. */
const newestShare = 0.25

/**
 * Memory as a number chosen beforehand. A slot is held until its page is committed, so a slow parser or sink closes
 * admission by itself. The bound is soft by what is under way: a body that grows beyond its reserve is counted, not
 * stopped; so the reserve of a page is what pages of its host have needed so far. With nothing held it is always open, or a
 * page larger than the budget could never be fetched.
 *
 * **Shared between hosts.** Whoever holds nothing needs no more than a small reserve to begin. Whoever holds something may
 * have another page while it stays within its part:
 *
 *     held by the host + reserve <= total / hosts that hold something
 *
 * A host of large pages would otherwise fill all of it, and the others would go at its pace: their small pages leave at once,
 * and then wait for one of the large ones to leave. Alone it has all of it.
 */
export function createPageBudget({ totalBytes, reserveBytes, onReturned }: PageBudgetOptions): PageBudget {
  let heldBytes = 0
  let peakBytes = 0
  let pages = 0
  /** Those that hold something, and those whose pages are known to be large. */
  const holders = new Map<HostKey, Holder>()
  let holding = 0
  /** Told to wait until bytes come back. */
  let waiting = new Set<HostKey>()

  function hold(holder: Holder, bytes: number): void {
    holder.heldBytes += bytes
    heldBytes += bytes
    peakBytes = Math.max(peakBytes, heldBytes)
  }

  const reserveOf = (host: HostKey): number =>
    Math.min(totalBytes, Math.max(reserveBytes, Math.round(holders.get(host)?.meanBytes ?? 0)))

  const hasRoom = (): boolean => pages === 0 || heldBytes + reserveBytes <= totalBytes

  function isOpen(host: HostKey): boolean {
    const own = holders.get(host)
    if (own === undefined || own.pages === 0) return hasRoom()
    const reserve = reserveOf(host)
    return heldBytes + reserve <= totalBytes && own.heldBytes + reserve <= totalBytes / holding
  }

  function holderOf(host: HostKey): Holder {
    const known = holders.get(host) ?? { heldBytes: 0, pages: 0, meanBytes: reserveBytes }
    holders.set(host, known)
    return known
  }

  function leave(host: HostKey, holder: Holder, bodyBytes: number): void {
    // A page without a body (a redirect, a refusal) says nothing of those that have one.
    if (bodyBytes > 0) holder.meanBytes += newestShare * (bodyBytes - holder.meanBytes)
    if (holder.pages > 0) return
    holding -= 1
    if (holder.meanBytes <= reserveBytes) holders.delete(host)
  }

  function tellReturned(host: HostKey): void {
    const told = waiting
    waiting = new Set()
    onReturned(host)
    for (const other of told) if (other !== host) onReturned(other)
  }

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
    readyAtMs(host) {
      if (isOpen(host)) return 0
      waiting.add(host)
      return Number.POSITIVE_INFINITY
    },
    acquire(host) {
      // The part of a host is for those who choose between hosts; what has been chosen goes as long as there is room.
      mustBeOpen(hasRoom() ? 0 : Number.POSITIVE_INFINITY, 0, 'the page budget', host)
      const holder = holderOf(host)
      let bodyBytes = 0
      let countedBytes = reserveOf(host)
      let isHeld = true
      pages += 1
      if (holder.pages === 0) holding += 1
      holder.pages += 1
      hold(holder, countedBytes)
      return {
        grow(bytes) {
          if (!isHeld) return
          bodyBytes += bytes
          const moreBytes = Math.max(0, bodyBytes - countedBytes)
          countedBytes += moreBytes
          hold(holder, moreBytes)
        },
        [Symbol.dispose]: once(() => {
          isHeld = false
          pages -= 1
          holder.pages -= 1
          holder.heldBytes -= countedBytes
          heldBytes -= countedBytes
          leave(host, holder, bodyBytes)
          tellReturned(host)
        }),
      }
    },
  }
}
