import { Readable } from 'node:stream'

/** Bytes of a stream, as many at a time as are asked for. */
export interface Bytes {
  /** Of all that was taken or skipped. */
  readonly position: number
  /** The next bytes, which stay where they are; fewer at the end of the stream. */
  peek(count: number): Promise<Uint8Array>
  /** Latin-1 text up to a mark, which is passed over; null where it does not come within `most` bytes. */
  until(mark: string, most: number): Promise<string | null>
  /** Memory of its own; null where the stream ends before. */
  take(count: number): Promise<Uint8Array<ArrayBuffer> | null>
  /** How many there were. */
  skip(count: number): Promise<number>
  /** All that is left, for another reader. */
  rest(): Readable
}

export function createByteReader(source: Readable): Bytes {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let held: Buffer = Buffer.alloc(0)
  let position = 0

  async function more(): Promise<boolean> {
    const next = await chunks.next()
    if (next.done === true) return false
    held = held.byteLength === 0 ? Buffer.from(next.value) : Buffer.concat([held, next.value])
    return true
  }

  function drop(count: number): void {
    held = held.subarray(count)
    position += count
  }

  return {
    get position() {
      return position
    },
    async peek(count) {
      while (held.byteLength < count && (await more()));
      return held.subarray(0, count)
    },
    async until(mark, most) {
      for (;;) {
        const at = held.indexOf(mark, 0, 'latin1')
        if (at >= 0) {
          const text = held.toString('latin1', 0, at)
          drop(at + mark.length)
          return text
        }
        if (held.byteLength > most || !(await more())) return null
      }
    },
    async take(count) {
      const bytes = new Uint8Array(count)
      for (let filled = 0; filled < count; ) {
        if (held.byteLength === 0 && !(await more())) return null
        const piece = held.subarray(0, count - filled)
        bytes.set(piece, filled)
        filled += piece.byteLength
        drop(piece.byteLength)
      }
      return bytes
    },
    async skip(count) {
      let skipped = 0
      while (skipped < count) {
        if (held.byteLength === 0 && !(await more())) break
        const piece = Math.min(held.byteLength, count - skipped)
        skipped += piece
        drop(piece)
      }
      return skipped
    },
    rest() {
      const first = held
      async function* left(): AsyncGenerator<Uint8Array> {
        if (first.byteLength > 0) yield first
        for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
      }
      return Readable.from(left(), { objectMode: false })
    },
  }
}
