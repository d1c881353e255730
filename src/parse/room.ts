import { megabytes } from './watch.ts'

export interface RoomOptions {
  readonly ceilingBytes: number
  /** What the thread holds by now, with garbage that nobody has collected yet. */
  readonly heldBytes: () => number
  /** Collects garbage, at once. */
  readonly collect: () => void
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

export function createRoom({ ceilingBytes, heldBytes, collect }: RoomOptions): Room {
  let freshBytes = heldBytes()
  let keptBytes = freshBytes

  /** What is collected was garbage of former pages too. */
  function look(): number {
    const bytes = heldBytes()
    keptBytes = Math.min(keptBytes, bytes)
    freshBytes = Math.min(freshBytes, keptBytes)
    return bytes
  }

  return {
    begin(bytes) {
      keptBytes = bytes
    },
    ask(bytes) {
      if (look() + bytes <= collectRatio * ceilingBytes) return
      // V8 lets arrays that nobody holds pile up to hundreds of megabytes. No garbage makes room for one that is itself too large.
      if (freshBytes + bytes <= ceilingBytes) collect()
      const ownBytes = look() - keptBytes
      const wouldHoldBytes = freshBytes + ownBytes + bytes
      if (wouldHoldBytes <= ceilingBytes) return
      throw new RangeError(
        `an array of ${megabytes(bytes)} would make its thread hold ${megabytes(wouldHoldBytes)} of memory, ` +
          `above the ceiling of ${megabytes(ceilingBytes)}`,
      )
    },
  }
}
