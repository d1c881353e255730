import { MillraceError } from '../../core/errors.ts'
import { fingerprint } from './fingerprint.ts'

/**
 * A set of strings that keeps 64 bits of each and not the string: 8 bytes over a load of at most 3/4, so 11 to 21
 * bytes a URL where a `Set` of URLs takes 150 and more, and no work for the garbage collector.
 *
 * Fingerprint: see fingerprint.ts.
 * Tables: open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithm L), capacity a power of two.
 *
 * Known weakness: two URLs of one fingerprint are taken for one. Among n URLs the chance is about n² / 2^65: 3e-8
 * for a million, 3e-6 for ten million. The hash has no key: whoever wants to can make pages that collide, and hides
 * pages of his own by it.
 */
export interface FingerprintSet {
  readonly size: number
  has(text: string): boolean
  /** True when it was new. */
  add(text: string): boolean
  /** Pairs of words, as `fingerprint` writes them. */
  addFingerprints(words: Int32Array): void
}

/** Growing copies a table, which stops the thread: many small ones grow at different times, one large one all at once. */
const shardCount = 256
/** 32 KB for an empty set. */
const firstCapacity = 16
const fullness = 0.75

const isFree = (words: Int32Array, place: number): boolean => words[place] === 0 && words[place + 1] === 0

/** One table; pairs of words, two zeros mean free. */
interface Shard {
  words: Int32Array
  size: number
}

export function createFingerprintSet(): FingerprintSet {
  const shards = Array.from(
    { length: shardCount },
    (): Shard => ({ words: new Int32Array(2 * firstCapacity), size: 0 }),
  )
  let size = 0
  // The pair that is asked for: results would otherwise allocate one for every question.
  const scratch = new Int32Array(2)
  let high = 0
  let low = 0

  function hash(text: string): void {
    fingerprint(text, scratch, 0)
    high = scratch[0] ?? 0
    low = scratch[1] ?? 0
  }

  /** Index of the pair that holds the fingerprint, or of the free pair where it belongs. */
  function placeIn(words: Int32Array): number {
    const mask = words.length - 1
    let place = (2 * low) & mask
    while (words[place] !== high || words[place + 1] !== low) {
      if (isFree(words, place)) break
      place = (place + 2) & mask
    }
    return place
  }

  function write(words: Int32Array, place: number): void {
    words[place] = high
    words[place + 1] = low
  }

  function grow(shard: Shard): void {
    const { words } = shard
    shard.words = new Int32Array(2 * words.length)
    for (let place = 0; place < words.length; place += 2) {
      if (isFree(words, place)) continue
      high = words[place] ?? 0
      low = words[place + 1] ?? 0
      write(shard.words, placeIn(shard.words))
    }
  }

  /** The shard of the last hash: by bits that the place within a shard does not use. */
  function shardOf(): Shard {
    const shard = shards[high & (shardCount - 1)]
    if (shard === undefined) throw new MillraceError('INVARIANT', `a fingerprint fell outside of ${shardCount} shards`)
    return shard
  }

  /** Of the pair that was hashed last; true when it was new. */
  function insert(): boolean {
    const shard = shardOf()
    const place = placeIn(shard.words)
    if (!isFree(shard.words, place)) return false
    write(shard.words, place)
    shard.size += 1
    size += 1
    if (shard.size > (shard.words.length / 2) * fullness) grow(shard)
    return true
  }

  return {
    get size() {
      return size
    },
    has(text) {
      hash(text)
      const { words } = shardOf()
      return !isFree(words, placeIn(words))
    },
    add(text) {
      hash(text)
      return insert()
    },
    addFingerprints(words) {
      for (let place = 0; place < words.length; place += 2) {
        high = words[place] ?? 0
        low = words[place + 1] ?? 0
        insert()
      }
    },
  }
}
