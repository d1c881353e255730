import { type Gate, mustBeOpen, once } from '../core/gate.ts'
import type { HostKey } from '../core/url.ts'
import { learnFirst, learnNone, learnSize, likelyBytes, type PageSizes, unknownSizes } from './page-sizes.ts'
import type { PageSlot } from './permit.ts'

export interface PageBudgetOptions {
  /** Bytes of all bodies held, from the first byte to the commit. */
  readonly totalBytes: number
  /** The least that a page is taken to need. */
  readonly reserveBytes: number
  /** The most that a body may have: what a page is taken to need of which nothing is known. */
  readonly mostBytes: number
  /** Bytes came back: hosts that were told Infinity may ask again. The host they came from is one of them, told or not. */
  readonly onReturned: (host: HostKey) => void
}

export interface PageBudget extends Gate<PageSlot> {
  readonly heldBytes: number
  readonly peakBytes: number
  /** Slots out. */
  readonly pages: number
}

/** What one host holds, and how large its pages are. */
interface Holder {
  heldBytes: number
  pages: number
  /** Pages under way of which nobody knows yet how large they are. */
  unsized: number
  readonly sizes: PageSizes
}

/** Hosts that hold nothing and of whose pages something is known: some 100 bytes each. */
const mostRemembered = 10_000

/** A page that needs more than this part of the budget is a large one. */
const largeShare = 1 / 64

/** The part of the budget that hosts of large pages have together, while small pages are under way. */
const shareOfLarge = 3 / 4

/**
 * Memory as a number chosen beforehand. A slot is held until its page is committed, so a slow parser or sink closes
 * admission by itself. With nothing held it is always open.
 *
 * **How large a page is** one knows when its head is in, and counts it at once (`PageSlot.expect`). Before that it is taken to
 * be as large as pages of its host were, or else as first pages of hosts were in this run, or else as large as any may
 * be. What has left is not stopped: so the bound is passed by a page at most where pages are what they were taken for, and by
 * what was under way where they are larger. That is kept small where nothing is known of a host, too:
 *
 *     (pages of the host without a known size + 1) x what each could be <= total
 *
 * **Shared between hosts.** Whoever holds nothing needs no more than a small reserve to begin. Whoever holds something may
 * have another page while it stays within its part:
 *
 *     held by the host + reserve <= total / hosts that hold something
 *
 * A host of large pages would otherwise fill all of it, and the others would go at its pace: their small pages leave at once,
 * and then wait for one of the large ones to leave. Alone it has all of it.
 *
 * A large page may be as slow as `timeouts` let it: seven that trickle would have the budget for a minute, and with it all
 * hosts. So a quarter is left to small pages while there are any. Hosts of which nothing is known may use it too.
 */
export function createPageBudget(options: PageBudgetOptions): PageBudget {
  const { totalBytes, reserveBytes, onReturned } = options
  const mostBytes = Math.min(options.mostBytes, totalBytes)
  const leastBytes = Math.min(reserveBytes, totalBytes)
  let heldBytes = 0
  let peakBytes = 0
  let pages = 0
  /** Of those that count as large. */
  let largeBytes = 0
  let largePages = 0
  /** Those that hold something. */
  const holders = new Map<HostKey, Holder>()
  /** Of those that held something before, the last ones at the end. */
  const remembered = new Map<HostKey, PageSizes>()
  const nothingKnown: Readonly<PageSizes> = unknownSizes(mostBytes)
  /** Of the first page of each host. */
  const firstPages = unknownSizes(mostBytes)
  /** Told to wait until bytes come back. */
  let waiting = new Set<HostKey>()

  const isLarge = (bytes: number): boolean => bytes > totalBytes * largeShare

  /** A page of the host counts as much, in place of what it counted before. */
  function recount(holder: Holder, beforeBytes: number, bytes: number): void {
    holder.heldBytes += bytes - beforeBytes
    heldBytes += bytes - beforeBytes
    peakBytes = Math.max(peakBytes, heldBytes)
    largeBytes += (isLarge(bytes) ? bytes : 0) - (isLarge(beforeBytes) ? beforeBytes : 0)
    largePages += Number(isLarge(bytes)) - Number(isLarge(beforeBytes))
  }

  const sizesOf = (host: HostKey): PageSizes | undefined => holders.get(host)?.sizes ?? remembered.get(host)

  const isKnown = (host: HostKey): boolean => (sizesOf(host)?.pages ?? 0) > 0

  function reserveOf(host: HostKey): number {
    const own = sizesOf(host) ?? nothingKnown
    const ofOthers = Math.max(likelyBytes(firstPages), firstPages.couldBeBytes)
    // A host that has given answers, and never a page, is not taken to begin with it in all that are under way.
    const bytes = own.pages > 0 ? likelyBytes(own) : Math.min(own.couldBeBytes, ofOthers)
    return Math.max(leastBytes, Math.min(mostBytes, Math.round(bytes)))
  }

  const hasRoom = (): boolean => pages === 0 || heldBytes + reserveBytes <= totalBytes

  /** Whether it leaves to small pages what is theirs. */
  function isWithinLarge(host: HostKey, reserve: number): boolean {
    const hasSmall = pages > largePages
    if (largePages === 0 || !hasSmall || !isLarge(reserve) || !isKnown(host)) return true
    return largeBytes + reserve <= totalBytes * shareOfLarge
  }

  function isOpen(host: HostKey): boolean {
    const own = holders.get(host)
    const reserve = reserveOf(host)
    if (!isWithinLarge(host, reserve)) return false
    if (own === undefined) return hasRoom()
    return (
      heldBytes + reserve <= totalBytes &&
      own.heldBytes + reserve <= totalBytes / holders.size &&
      (own.unsized + 1) * own.sizes.couldBeBytes <= totalBytes
    )
  }

  function holderOf(host: HostKey): Holder {
    const known = holders.get(host)
    if (known !== undefined) return known
    const holder = { heldBytes: 0, pages: 0, unsized: 0, sizes: remembered.get(host) ?? unknownSizes(mostBytes) }
    remembered.delete(host)
    holders.set(host, holder)
    return holder
  }

  function learn({ sizes }: Holder, bodyBytes: number): void {
    if (sizes.pages === 0) learnFirst(firstPages, bodyBytes, mostBytes)
    learnSize(sizes, bodyBytes)
  }

  function learnNothing({ sizes }: Holder): void {
    // Once for each host: one that refuses a thousand times says of another no more than one that refuses once.
    if (sizes.pages === 0 && sizes.nones === 0) learnNone(firstPages, totalBytes)
    learnNone(sizes, totalBytes)
  }

  function remember(host: HostKey, { sizes }: Holder): void {
    holders.delete(host)
    remembered.set(host, sizes)
    const [oldest] = remembered.size > mostRemembered ? remembered.keys() : []
    if (oldest !== undefined) remembered.delete(oldest)
  }

  function tellWaiting(but?: HostKey): void {
    const told = waiting
    waiting = new Set()
    for (const other of told) if (other !== but) onReturned(other)
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
      let countedBytes = reserveOf(host)
      const holder = holderOf(host)
      let bodyBytes = 0
      let isSized = false
      let isHeld = true
      pages += 1
      holder.pages += 1
      holder.unsized += 1
      recount(holder, 0, countedBytes)

      function count(bytes: number): void {
        recount(holder, countedBytes, bytes)
        countedBytes = bytes
      }

      return {
        grow(bytes) {
          if (!isHeld) return
          bodyBytes += bytes
          count(Math.max(countedBytes, bodyBytes))
        },
        expect(wholeBytes, isPage) {
          if (!isHeld) return
          const beforeBytes = countedBytes
          count(Math.max(leastBytes, wholeBytes, bodyBytes))
          if (isSized && countedBytes >= beforeBytes) return
          if (!isSized) holder.unsized -= 1
          if (!isSized && isPage) learn(holder, wholeBytes)
          isSized = true
          tellWaiting()
        },
        [Symbol.dispose]: once(() => {
          isHeld = false
          pages -= 1
          holder.pages -= 1
          recount(holder, countedBytes, 0)
          if (!isSized) {
            holder.unsized -= 1
            // A body that was cut short has at least what came of it.
            if (bodyBytes > reserveBytes) learn(holder, bodyBytes)
            else learnNothing(holder)
          }
          if (holder.pages === 0) remember(host, holder)
          onReturned(host)
          tellWaiting(host)
        }),
      }
    },
  }
}
