import { megabytes } from './watch.ts'

export interface RoomOptions {
  readonly ceilingBytes: number
  /** What the thread holds by now, with garbage that nobody has collected yet. */
  readonly heldBytes: () => number
  /** Collects garbage, at once: most of it, or all, which takes much longer. */
  readonly collect: (how: 'most' | 'all') => void
}

/**
 * What is left to the pages of one thread below its ceiling. A page is judged by what it adds to a new thread: what those
 * before it left behind would else refuse it and all that come after, in a thread that nobody replaces. That is found after
 * the page, and costs the thread.
 */
export interface Room {
  /** A page begins, in a thread that holds so much. */
  begin(heldBytes: number): void
  /** @throws RangeError with so much more, a new thread would be above the ceiling too */
  ask(bytes: number): void
}

/**
 * Beyond this part of the ceiling garbage is collected before more is given: what is looked at between two arrays, from
 * outside or after the page, is garbage and all, and has grown a little.
 */
const collectRatio = 0.9
/** And again when so much more has come; all of it when that decides. */
const collectAgainRatio = 0.05

export function createRoom({ ceilingBytes, heldBytes, collect }: RoomOptions): Room {
  let freshBytes = heldBytes()
  let keptBytes = freshBytes
  /** What the thread held when garbage was collected last while this page ran. */
  let collectedBytes = { most: 0, all: 0 }

  /** What is collected was garbage of former pages too. */
  function look(): number {
    const bytes = heldBytes()
    keptBytes = Math.min(keptBytes, bytes)
    freshBytes = Math.min(freshBytes, keptBytes)
    return bytes
  }

  /** With so much more, what a new thread would hold with this page. */
  function withMore(bytes: number): number {
    const ownBytes = look() - keptBytes
    return freshBytes + ownBytes + bytes
  }

  function collectUnlessSince(how: 'most' | 'all', grownBytes: number): void {
    if (look() - collectedBytes[how] <= grownBytes) return
    collect(how)
    collectedBytes[how] = look()
  }

  /** V8 lets arrays that nobody holds pile up to hundreds of megabytes. */
  function collectBefore(bytes: number): void {
    // No garbage makes room for one that is itself too large.
    if (freshBytes + bytes > ceilingBytes) return
    collectUnlessSince('most', collectAgainRatio * ceilingBytes)
    if (withMore(bytes) > ceilingBytes) collectUnlessSince('all', 0)
  }

  return {
    begin(bytes) {
      keptBytes = bytes
      collectedBytes = { most: 0, all: 0 }
    },
    ask(bytes) {
      if (look() + bytes <= collectRatio * ceilingBytes) return
      collectBefore(bytes)
      const wouldHoldBytes = withMore(bytes)
      if (wouldHoldBytes <= ceilingBytes) return
      throw new RangeError(
        `an array of ${megabytes(bytes)} would make its thread hold ${megabytes(wouldHoldBytes)} of memory, ` +
          `above the ceiling of ${megabytes(ceilingBytes)}`,
      )
    },
  }
}
