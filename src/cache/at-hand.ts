/**
 * Until when each stored answer may be used unasked, by its key: 64 bits of it and a time, 16 bytes an entry over a load
 * of at most 3/4. Open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithm L), capacity a power of two. Two
 * keys that agree in 64 bits are taken for one: then the store is asked in vain.
 */
export interface AtHand {
  readonly size: number
  /** Wall time in milliseconds; 0 for a key that is not known. */
  untilMs(key: string): number
  set(key: string, untilMs: number): void
}

const firstCapacity = 64
const fullness = 0.75

/** Keys are digests: any part of one is as good as a hash. */
function wordsOf(key: string): readonly [number, number] {
  const bytes = Buffer.from(key, 'base64url')
  return [bytes.readInt32LE(0) | 1, bytes.readInt32LE(4)]
}

export function createAtHand(): AtHand {
  let words = new Int32Array(2 * firstCapacity)
  let times = new Float64Array(firstCapacity)
  let size = 0

  /** Where a key is, or belongs. A first word of 0 is free. */
  function placeOf(first: number, second: number): number {
    const mask = times.length - 1
    let place = second & mask
    while (words[2 * place] !== 0 && (words[2 * place] !== first || words[2 * place + 1] !== second))
      place = (place + 1) & mask
    return place
  }

  function put(first: number, second: number, untilMs: number): void {
    const place = placeOf(first, second)
    if (words[2 * place] === 0) size += 1
    words[2 * place] = first
    words[2 * place + 1] = second
    times[place] = untilMs
  }

  function grow(): void {
    const [oldWords, oldTimes] = [words, times]
    words = new Int32Array(2 * oldWords.length)
    times = new Float64Array(2 * oldTimes.length)
    size = 0
    for (const [place, untilMs] of oldTimes.entries()) {
      const first = oldWords[2 * place] ?? 0
      if (first !== 0) put(first, oldWords[2 * place + 1] ?? 0, untilMs)
    }
  }

  return {
    get size() {
      return size
    },
    untilMs: key => times[placeOf(...wordsOf(key))] ?? 0,
    set(key, untilMs) {
      put(...wordsOf(key), untilMs)
      if (size > times.length * fullness) grow()
    },
  }
}
