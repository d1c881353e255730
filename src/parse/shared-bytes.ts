/** What the shared arrays of this thread hold that are still in use, or not collected yet: V8 counts none of them. */
export interface SharedBytes {
  readonly held: number
  hold(buffer: object, bytes: number): void
}

/** What was collected counts until the thread has had a turn of its event loop: only there V8 tells of it. */
export function createSharedBytes(): SharedBytes {
  let held = 0
  const registry = new FinalizationRegistry<number>(bytes => {
    held -= bytes
  })
  return {
    get held() {
      return held
    },
    hold(buffer, bytes) {
      held += bytes
      registry.register(buffer, bytes)
    },
  }
}
