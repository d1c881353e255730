import { batchBytes, batchMs, batchPages } from '../core/batch-bounds.ts'
import type { Clock } from '../core/clock.ts'
import type { Position, Sink } from './sink.ts'

/** Where each output ends, by its name. */
export type Positions = Readonly<Record<string, Position>>

/** What a batch comes to beside the files: kept in one transaction with the ends of its tasks. */
export interface Sealed {
  /** Where each output ends with the batch in it. */
  readonly positions: Positions
  /** Lines that are kept by the transaction itself. */
  readonly rows: readonly Uint8Array[]
}

export interface CommitterOptions {
  readonly clock: Clock
  /** By name, in the order in which a batch is written to them. */
  readonly outputs: Readonly<Record<string, Sink>>
  /**
   * Takes what happened to tasks since the last call, at once; the function it returns keeps that together with where
   * the outputs end by then, as a whole or not at all.
   */
  readonly seal: () => (sealed: Sealed) => Promise<void>
  readonly onWrote: (lines: number, bytes: number, latencyMs: number) => void
}

/** Lines of one page, on their way. */
export interface PageLines {
  /** Its name; lines of one that there is not are dropped. */
  readonly output: string
  readonly bytes: Uint8Array
  readonly count: number
}

/**
 * Pages are kept in batches: their lines, their links and their ends go together, lines first. So a process that dies
 * at any instant leaves either all of a page or nothing of it, once what lies beyond the last commit is cut off.
 */
export interface Committer {
  /**
   * Joins the open batch, in the same synchronous step in which it is called. Resolves when the batch is kept.
   * @throws SINK_FAILED
   * @throws STORE_FAILED
   */
  add(...lines: readonly (PageLines | null)[]): Promise<void>
  /** What waits is kept, also what happened to tasks without a line of output. */
  finish(): Promise<void>
}

interface Batch {
  readonly lines: PageLines[]
  bytes: number
  pages: number
  readonly kept: PromiseWithResolvers<void>
}

function openBatch(): Batch {
  const kept = Promise.withResolvers<void>()
  // Whoever added a page hears of a failure; where nobody did, `finish` tells it.
  kept.promise.catch(() => {})
  return { lines: [], bytes: 0, pages: 0, kept }
}

export function createCommitter({ clock, outputs, seal, onWrote }: CommitterOptions): Committer {
  let batch = openBatch()
  let timer: Disposable | null = null
  let writing: Promise<void> | null = null
  let failed: { readonly thrown: unknown } | null = null

  /** Nothing is kept after a failure: pages that wait hear of it, and so do those that come. */
  function fail(thrown: unknown): void {
    failed = { thrown }
    timer?.[Symbol.dispose]()
    batch.kept.reject(thrown)
  }

  async function write(sink: Sink, lines: readonly PageLines[]): Promise<void> {
    const count = lines.reduce((sum, line) => sum + line.count, 0)
    if (count > 0)
      await sink.write(
        lines.map(({ bytes }) => bytes),
        count,
      )
  }

  const sinks = Object.entries(outputs)

  async function keep({ lines, bytes, kept }: Batch, commit: ReturnType<typeof seal>): Promise<void> {
    const startMs = clock.nowMs()
    try {
      for (const [name, sink] of sinks)
        await write(
          sink,
          lines.filter(({ output }) => output === name),
        )
      await commit({
        positions: Object.fromEntries(sinks.map(([name, { position }]) => [name, position])),
        rows: sinks.flatMap(([, sink]) => sink.takeRows?.() ?? []),
      })
    } catch (thrown) {
      kept.reject(thrown)
      fail(thrown)
      throw thrown
    }
    onWrote(lines.length, bytes, clock.nowMs() - startMs)
    kept.resolve()
  }

  /** Closes the open batch, and those that fill up meanwhile; one at a time, so that outputs grow in order. */
  async function keepAll(): Promise<void> {
    do {
      timer?.[Symbol.dispose]()
      timer = null
      const closed = batch
      batch = openBatch()
      // In one synchronous step with the change of batches: lines and ends of tasks always belong together.
      await keep(closed, seal())
    } while (isFull())
    if (batch.pages > 0) startTimer()
  }

  const isFull = (): boolean => batch.bytes >= batchBytes || batch.pages >= batchPages

  function startKeeping(): Promise<void> {
    writing ??= keepAll().finally(() => {
      writing = null
    })
    return writing
  }

  function startTimer(): void {
    timer ??= clock.after(batchMs, () => void startKeeping().catch(() => {}))
  }

  return {
    add(...all) {
      if (failed !== null) return Promise.reject(failed.thrown)
      const joined = batch
      joined.pages += 1
      for (const lines of all) {
        if (lines === null) continue
        joined.lines.push(lines)
        joined.bytes += lines.bytes.byteLength
      }
      if (isFull()) startKeeping().catch(() => {})
      else if (writing === null) startTimer()
      return joined.kept.promise
    },
    async finish() {
      if (failed !== null) throw failed.thrown
      while (writing !== null) await writing
      await startKeeping()
    },
  }
}
