import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LoopDelay extends Disposable {
  /** How late the main thread's timers fired, in milliseconds. */
  read(): { readonly p50: number; readonly p99: number; readonly max: number }
}

/** A tick costs time of a run that has nothing to do: fifty a second are a quarter of a per cent of a core. */
const usualTickMs = 20

/** @param resolutionMs between two ticks */
export function watchLoopDelay(resolutionMs = usualTickMs): LoopDelay {
  // The histogram holds the whole interval between two ticks; what is late is what goes beyond the resolution.
  const lateMs = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 10) / 10) : 0
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return {
    read: () =>
      histogram.count === 0
        ? { p50: 0, p99: 0, max: 0 }
        : { p50: lateMs(histogram.percentile(50)), p99: lateMs(histogram.percentile(99)), max: lateMs(histogram.max) },
    [Symbol.dispose]: () => histogram.disable(),
  }
}
