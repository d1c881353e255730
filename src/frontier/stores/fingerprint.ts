/**
 * Fingerprint of 64 bits: two 32-bit lanes over the UTF-16 code units, each a multiply and a xor-shift per unit with
 * constants of its own, crossed and finished with the 32-bit finaliser of MurmurHash3 (Austin Appleby, public domain).
 * Never two zeros, which mean "free" in a table. Written into `words` at `place`, so that a million of them are one
 * array that can be moved between threads.
 */
export function fingerprint(text: string, words: Int32Array, place: number): void {
  let left = text.length ^ 0x243f6a88
  let right = text.length ^ 0x13198a2e
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    left = Math.imul(left ^ unit, 0x9e3779b1)
    left ^= left >>> 15
    right = Math.imul(right ^ unit, 0x5f356495)
    right ^= right >>> 13
  }
  const high = finish(left ^ Math.imul(right, 0x2c1b3c6d))
  const low = finish(right ^ Math.imul(left, 0x297a2d39))
  words[place] = high
  words[place + 1] = high === 0 && low === 0 ? 1 : low
}

function finish(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
