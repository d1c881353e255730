import { processCpuMs } from '../core/clock.ts'

/** What a server saw since it was last asked. */
export interface Seen {
  /** The most requests that it had at once. */
  readonly peak: number
  readonly requests: number
  readonly cpuMs: number
}

export interface RequestGauge {
  begun(): void
  ended(): void
  /** Since it was last read. */
  read(): Seen
}

export function createRequestGauge(): RequestGauge {
  let [open, peak, requests] = [0, 0, 0]
  let cpuSinceMs = processCpuMs()
  return {
    begun() {
      open += 1
      requests += 1
      peak = Math.max(peak, open)
    },
    ended() {
      open -= 1
    },
    read() {
      const seen = { peak, requests, cpuMs: processCpuMs() - cpuSinceMs }
      peak = open
      requests = 0
      cpuSinceMs = processCpuMs()
      return seen
    },
  }
}
