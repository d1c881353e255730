/**
 * Where a write-ahead log of SQLite was changed by somebody else than SQLite.
 *
 * SQLite reads its log up to the first frame whose checksum is wrong, and silently leaves out what follows. At the end
 * that is right: the last write was torn. In the middle it is a flipped bit, and commits that were kept are gone
 * without a word. The two are told apart by what follows: a frame that goes on from the wrong one was written after it.
 *
 * The format (sqlite.org/fileformat2.html, section 4): a header of 32 bytes, then frames of 24 bytes and a page. Header
 * and frames carry two salts, which change each time the log begins anew, and two running sums: for each pair of words
 * s0 += x0 + s1, then s1 += x1 + s0, over the first 24 bytes of the header, and for each frame, going on from the frame
 * before, over its first 8 bytes and its page. Words of the sums are big-endian where the magic number is odd.
 */

const headerBytes = 32
const frameHeaderBytes = 24
const magic = 0x377f0682

type Sums = readonly [number, number]

function sumsOver(view: DataView, from: number, to: number, [first, second]: Sums, isLittle: boolean): Sums {
  let s0 = first
  let s1 = second
  for (let at = from; at < to; at += 8) {
    s0 = (s0 + view.getUint32(at, isLittle) + s1) >>> 0
    s1 = (s1 + view.getUint32(at + 4, isLittle) + s0) >>> 0
  }
  return [s0, s1]
}

const sumsAt = (view: DataView, at: number): Sums => [view.getUint32(at), view.getUint32(at + 4)]
const isSame = ([a, b]: Sums, [c, d]: Sums): boolean => a === c && b === d

/** Offset of the first header or frame that is not what was written and is no torn end; null: there is none. */
export function walDamageAt(bytes: Uint8Array): number | null {
  if (bytes.byteLength <= headerBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = (view.getUint32(0) & 1) === 0
  const pageBytes = view.getUint32(8)
  const headerSums = sumsOver(view, 0, 24, [0, 0], isLittle)
  if ((view.getUint32(0) & ~1) !== magic || !isSame(headerSums, sumsAt(view, 24))) return 0
  const frameBytes = frameHeaderBytes + pageBytes
  const count = Math.floor((bytes.byteLength - headerBytes) / frameBytes)
  const salts = sumsAt(view, 16)
  const placeOf = (nth: number): number => headerBytes + nth * frameBytes

  function sumsThrough(nth: number, before: Sums): Sums {
    const at = placeOf(nth)
    const afterHead = sumsOver(view, at, at + 8, before, isLittle)
    return sumsOver(view, at + frameHeaderBytes, at + frameBytes, afterHead, isLittle)
  }
  const isWhole = (nth: number, sums: Sums): boolean =>
    isSame(sumsAt(view, placeOf(nth) + 8), salts) && isSame(sumsAt(view, placeOf(nth) + 16), sums)

  let sums: Sums = headerSums
  for (let nth = 0; nth < count; nth += 1) {
    const through = sumsThrough(nth, sums)
    if (!isWhole(nth, through)) {
      if (nth + 1 === count) return null
      // The sums of the wrong frame may be what was changed, or all but them.
      const goesOn = [sumsAt(view, placeOf(nth) + 16), through].some(before =>
        isWhole(nth + 1, sumsThrough(nth + 1, before)),
      )
      return goesOn ? placeOf(nth) : null
    }
    sums = through
  }
  return null
}
