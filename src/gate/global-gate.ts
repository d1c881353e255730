import { type Gate, mustBeOpen, once } from '../core/gate.ts'

export interface GlobalGateOptions {
  /** What may be under way over all hosts. */
  readonly max: number
  /** A grant came back where there was none left: whoever was told Infinity may ask again. */
  readonly onReturned: () => void
}

export interface GlobalGate extends Gate<Disposable> {
  readonly inFlight: number
  readonly peak: number
}

/** Bounds what is under way over all hosts together. */
export function createGlobalGate({ max, onReturned }: GlobalGateOptions): GlobalGate {
  let inFlight = 0
  let peak = 0
  const readyAtMs = (): number => (inFlight < max ? 0 : Number.POSITIVE_INFINITY)
  return {
    get inFlight() {
      return inFlight
    },
    get peak() {
      return peak
    },
    readyAtMs,
    acquire(host) {
      mustBeOpen(readyAtMs(), 0, 'the global gate', host)
      inFlight += 1
      peak = Math.max(peak, inFlight)
      return {
        [Symbol.dispose]: once(() => {
          inFlight -= 1
          if (inFlight === max - 1) onReturned()
        }),
      }
    },
  }
}
