/** One cell a lane, in memory that all threads share. */
export interface LaneCells {
  /** When the lane's page, or module, began to run, on the clock all threads share; 0 before the first of its task. */
  readonly startedAtMs: Float64Array<SharedArrayBuffer>
  /** CPU time of its thread, and time that its event loop had nothing to do, both when the page began. */
  readonly startedCpuMs: Float64Array<SharedArrayBuffer>
  readonly startedIdleMs: Float64Array<SharedArrayBuffer>
  /** Which page of its task that is. */
  readonly nths: Int32Array<SharedArrayBuffer>
  /** The thread that runs it. */
  readonly threadIds: Int32Array<SharedArrayBuffer>
  /** Which module its thread loads meanwhile, before the first page, counted from 1; 0: none. */
  readonly modules: Int32Array<SharedArrayBuffer>
}

const floats = (count: number): Float64Array<SharedArrayBuffer> =>
  new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT))

const integers = (count: number): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))

export const createLaneCells = (lanes: number): LaneCells => ({
  startedAtMs: floats(lanes),
  startedCpuMs: floats(lanes),
  startedIdleMs: floats(lanes),
  nths: integers(lanes),
  threadIds: integers(lanes),
  modules: integers(lanes),
})

/** The cells of one lane, as they are by now. */
export interface Lane {
  readonly startedAtMs: number
  readonly startedCpuMs: number
  readonly startedIdleMs: number
  readonly nth: number
  readonly threadId: number
  /** Null: its thread does not load, and what runs is a page. */
  readonly module: number | null
  /** For another task, which nobody has begun with. */
  clear(): void
}

export function laneOf(cells: LaneCells, lane: number): Lane {
  const read = (of: Float64Array | Int32Array): number => of[lane] ?? 0
  return {
    get startedAtMs() {
      return read(cells.startedAtMs)
    },
    get startedCpuMs() {
      return read(cells.startedCpuMs)
    },
    get startedIdleMs() {
      return read(cells.startedIdleMs)
    },
    get nth() {
      return read(cells.nths)
    },
    get threadId() {
      return read(cells.threadIds)
    },
    get module() {
      const nth = read(cells.modules)
      return nth === 0 ? null : nth - 1
    },
    clear() {
      cells.startedAtMs[lane] = 0
      cells.threadIds[lane] = 0
      cells.nths[lane] = 0
      cells.modules[lane] = 0
    },
  }
}
