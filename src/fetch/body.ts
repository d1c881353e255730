/**
 * A body as it comes in: one array that owns its memory, so that it can be moved to a thread. A pooled `Buffer` could
 * not: it shares its slab with strangers.
 */
export interface Body {
  /** Copies: the memory it came in is read into again. */
  add(chunk: Uint8Array): void
  /** The bytes so far, spanning their whole `ArrayBuffer`. The body is empty afterwards. */
  take(): Uint8Array<ArrayBuffer>
}

/** The most memory that a mere promise of bytes gets; beyond it room follows what really came. */
export const trustedBytes = 2 ** 20

const firstBytes = 2 ** 14

const nothing = new Uint8Array(0)

/** Not cleared, and not of the pool: the bytes are overwritten before anybody sees them. */
const roomFor = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)

/** `declaredBytes`: what Content-Length says, null when it says nothing. */
export function createBody(declaredBytes: number | null): Body {
  let memory = declaredBytes === null ? nothing : roomFor(Math.min(declaredBytes, trustedBytes))
  let bytes = 0

  function makeRoom(neededBytes: number): void {
    if (neededBytes <= memory.length) return
    const doubled = Math.max(neededBytes, 2 * memory.length, firstBytes)
    // The last step lands on the declared end, and `take` need not trim.
    const roomBytes =
      declaredBytes !== null && neededBytes <= declaredBytes ? Math.min(doubled, declaredBytes) : doubled
    const larger = roomFor(roomBytes)
    larger.set(memory.subarray(0, bytes))
    // Given back at once: several of these in a row are more than the body, and no collection is due for them.
    if (memory.length > 0) memory.buffer.transfer(0)
    memory = larger
  }

  return {
    add(chunk) {
      makeRoom(bytes + chunk.length)
      memory.set(chunk, bytes)
      bytes += chunk.length
    },
    take() {
      // An empty body has memory of its own, too: moving the shared one would take it from all.
      const whole = memory.length === bytes && bytes > 0 ? memory : memory.slice(0, bytes)
      memory = nothing
      bytes = 0
      return whole
    },
  }
}
