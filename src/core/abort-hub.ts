/**
 * One listener per signal, however many pages it can stop: a run has one signal and thousands of pages, each of which
 * can be stopped at several stages, and a listener of its own for each would be an eighth of what a page costs.
 */
export interface AbortHub {
  /** Tells `stop` when the signal aborts, until it is removed; at once when it has aborted before. */
  add(signal: AbortSignal, stop: () => void): void
  remove(signal: AbortSignal, stop: () => void): void
  /** As if every signal had aborted, those that are still to come among them. */
  stopAll(): void
}

interface Entry {
  readonly stops: Set<() => void>
  readonly listener: () => void
}

export function createAbortHub(): AbortHub {
  const entries = new Map<AbortSignal, Entry>()
  let isStopped = false

  function open(signal: AbortSignal): Entry {
    const stops = new Set<() => void>()
    const listener = (): void => {
      entries.delete(signal)
      for (const stop of stops) stop()
    }
    const entry = { stops, listener }
    signal.addEventListener('abort', listener, { once: true })
    entries.set(signal, entry)
    return entry
  }

  return {
    add(signal, stop) {
      if (signal.aborted || isStopped) stop()
      else (entries.get(signal) ?? open(signal)).stops.add(stop)
    },
    remove(signal, stop) {
      const entry = entries.get(signal)
      if (entry === undefined || !entry.stops.delete(stop) || entry.stops.size > 0) return
      entries.delete(signal)
      signal.removeEventListener('abort', entry.listener)
    },
    stopAll() {
      isStopped = true
      for (const { stops } of entries.values()) for (const stop of stops) stop()
    },
  }
}
