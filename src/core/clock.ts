/**
 * The only file that touches real time or chance. Everything else is given an `Env`, so that a crawl of hours runs
 * in a second of simulated time, and the same seed gives the same run.
 */
export interface Clock {
  /** Monotonic; the origin is unspecified. All `...AtMs` and `...UntilMs` are points on it. */
  nowMs(): number
  /** Wall time as ISO text: for output, never for arithmetic. */
  wallIso(): string
  /** Runs `run` once after `durationMs`; disposing before then means it never runs. */
  after(durationMs: number, run: () => void): Disposable
  /** Rejects with the signal's reason. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>
}

export interface Env {
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
}

/** Node fires timers above this at once. */
const longestTimerMs = 2 ** 31 - 1

/** `sleep` for any clock that has `after`. */
export function sleepOn(after: Clock['after']): (durationMs: number, signal: AbortSignal) => Promise<void> {
  return (durationMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = (): void => {
        timer[Symbol.dispose]()
        reject(signal.reason)
      }
      const timer = after(durationMs, () => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      signal.addEventListener('abort', stop, { once: true })
    })
}

function realAfter(durationMs: number, run: () => void): Disposable {
  const timer = setTimeout(run, Math.min(Math.max(0, durationMs), longestTimerMs))
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Monotonic, with the same origin in every thread, so that a worker's stamp can be compared with the main thread's. */
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * CPU time of the calling thread so far. For long spans only: where the kernel books time at its ticks, a thread that
 * sleeps after each millisecond of work seems to have done hardly any.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time of all threads of this process so far. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let isoSecond = Number.NaN
let isoUpToSecond = ''

/** Each page has its time, and a `Date` for it would cost as much as a URL to parse: all but the milliseconds is kept. */
function wallIso(): string {
  const wallMs = Date.now()
  const second = Math.floor(wallMs / 1000)
  if (second !== isoSecond) {
    isoSecond = second
    isoUpToSecond = new Date(wallMs).toISOString().slice(0, -'000Z'.length)
  }
  return `${isoUpToSecond}${String(wallMs - second * 1000).padStart(3, '0')}Z`
}

export const realClock: Clock = {
  nowMs,
  wallIso,
  after: realAfter,
  sleep: sleepOn(realAfter),
}

export const realEnv: Env = { clock: realClock, random: Math.random }
