import { type Clock, processCpuMs, threadCpuMs } from '../core/clock.ts'
import { watchForeignCores } from './capacity.ts'

/** What a run took, by the clock and of the cores. */
export interface Elapsed {
  readonly startedAt: string
  readonly startMs: number
  readonly durationMs: number
  readonly mainCpuMs: number
  /** Of the process's other threads. */
  readonly otherCpuMs: number
  readonly foreignCores: number
}

export interface Stopwatch {
  readonly startMs: number
  read(): Elapsed
}

/** To be read in the thread that started it: CPU is told apart by that. */
export function startStopwatch(clock: Clock): Stopwatch {
  const startedAt = clock.wallIso()
  const startMs = clock.nowMs()
  const foreignCores = watchForeignCores()
  const startCpuMs = { main: threadCpuMs(), all: processCpuMs() }
  return {
    startMs,
    read() {
      const durationMs = clock.nowMs() - startMs
      const mainCpuMs = threadCpuMs() - startCpuMs.main
      const otherCpuMs = Math.max(0, processCpuMs() - startCpuMs.all - mainCpuMs)
      return { startedAt, startMs, durationMs, mainCpuMs, otherCpuMs, foreignCores: foreignCores(durationMs) }
    },
  }
}
