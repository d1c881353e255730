import type { Clock } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { isDamage } from './answer-database.ts'
import type { AnswerFiles } from './answer-files.ts'
import type { Confirmed, Entry, Found, Question } from './store-messages.ts'

/**
 * Reads at once and writes in batches, so that the lock of the file is held for one short moment. What cannot be read is
 * not there, and what cannot be written is not kept: a cache never ends a run.
 */
export interface WriteBehind {
  find(question: Question): Found | null
  keep(entry: Entry): void
  confirm(confirmed: Confirmed): void
  drop(key: string): void
  /** Writes what is held, and closes. */
  close(): void
}

export interface WriteBehindOptions {
  readonly files: AnswerFiles
  readonly clock: Clock
  /** So many bytes of bodies are held no longer. */
  readonly onWritten: (bytes: number) => void
  readonly tell: (reason: string) => void
}

/** A batch ends by the time or by the bytes of its bodies, whichever comes first. */
const batchMs = 100
const batchBytes = 4 * 2 ** 20

interface Batch {
  readonly dropped: Set<string>
  entries: Entry[]
  readonly confirmed: Map<number, Confirmed>
  readonly used: Map<number, number>
  bytes: number
}

const emptyBatch = (): Batch => ({ dropped: new Set(), entries: [], confirmed: new Map(), used: new Map(), bytes: 0 })

export function createWriteBehind({ files, clock, onWritten, tell }: WriteBehindOptions): WriteBehind {
  let batch = emptyBatch()
  let timer: Disposable | null = null

  function guarded<T>(work: () => T): T | null {
    try {
      return work()
    } catch (thrown) {
      try {
        if (!isDamage(thrown)) throw thrown
        files.beginAnew()
      } catch (serious) {
        tell(`the cache cannot be used: ${messageOf(serious)}`)
      }
      return null
    }
  }

  function write(): void {
    timer?.[Symbol.dispose]()
    timer = null
    const { dropped, entries, confirmed, used, bytes } = batch
    batch = emptyBatch()
    if (dropped.size + entries.length + confirmed.size + used.size > 0)
      guarded(() => files.database.write({ dropped, entries, confirmed: [...confirmed.values()], used }))
    if (bytes > 0) onWritten(bytes)
  }

  function writeSoon(): void {
    if (batch.bytes >= batchBytes) write()
    else timer ??= clock.after(batchMs, write)
  }

  return {
    find({ key, headers, isLoose, nowMs }) {
      if (batch.dropped.has(key) || batch.entries.some(entry => entry.key === key)) write()
      const found = guarded(() => files.database.find(key, headers, isLoose))
      if (found === null) return null
      batch.used.set(found.id, nowMs)
      writeSoon()
      return { ...found, ...batch.confirmed.get(found.id) }
    },
    keep(entry) {
      batch.entries.push(entry)
      batch.bytes += entry.body.length
      writeSoon()
    },
    confirm(confirmed) {
      batch.confirmed.set(confirmed.id, confirmed)
      writeSoon()
    },
    drop(key) {
      // Its bytes are still counted as held, until the batch is written.
      batch.entries = batch.entries.filter(entry => entry.key !== key)
      batch.dropped.add(key)
      writeSoon()
    },
    close() {
      write()
      guarded(() => files.database.close())
    },
  }
}
