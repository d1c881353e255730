/**
 * What ends a task that is with Piscina, and its thread where that has begun with it. Piscina takes an emitter as well as
 * an `AbortSignal`, and a page may cost less than a signal does: to make one, to listen to it, and not to any more.
 */
export interface Ender {
  /** As Piscina's types have it. Its code also looks whether it is `aborted`, and calls `removeListener`, not `off`. */
  readonly signal: {
    once(name: 'abort', listener: () => void): void
    off(name: 'abort', listener: () => void): void
  }
  end(): void
}

export function createEnder(): Ender {
  let listener: (() => void) | null = null
  const signal = {
    aborted: false,
    once(_name: 'abort', told: () => void) {
      listener = told
    },
    off() {
      listener = null
    },
    removeListener() {
      listener = null
    },
  }
  return {
    signal,
    end() {
      if (signal.aborted) return
      signal.aborted = true
      listener?.()
    },
  }
}
