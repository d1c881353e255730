export interface Ticks extends Disposable {
  /** How late the ticks were, in milliseconds. */
  read(): { readonly p50: number; readonly p99: number; readonly max: number }
}

/** A timer that should fire every `everyMs`, and how late it did. */
export function watchTicks(everyMs: number): Ticks {
  const lateMs: number[] = []
  let dueMs = performance.now() + everyMs
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lateMs.push(Math.max(0, nowMs - dueMs))
    dueMs = nowMs + everyMs
  }, everyMs)
  return {
    read() {
      const sorted = [...lateMs].sort((left, right) => left - right)
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
      return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
