import type { DatabaseSync } from 'node:sqlite'
import type { JsonValue } from '../../core/wire.ts'

/** Where the outputs ended at a commit: the last one, and earlier ones some megabytes apart. */
export interface CheckpointRows {
  write(sequence: number, positions: JsonValue): void
}

interface Ending {
  readonly bytes: number
  readonly part?: number
}

/** A checkpoint of the outputs is kept for every so many bytes: a damaged place is told as closely ... */
const segmentBytes = 2 ** 20

/** ... and the last one of each file. */
function segmentOf(positions: unknown): string {
  const endings = Object.values(positions as Record<string, Ending>)
  const bytes = endings.reduce((sum, ending) => sum + ending.bytes, 0)
  return [Math.floor(bytes / segmentBytes), ...endings.map(({ part = 1 }) => part)].join(' ')
}

export function createCheckpoints(database: DatabaseSync): CheckpointRows {
  const last = database.prepare('SELECT segment, positions FROM outputs ORDER BY segment DESC LIMIT 1').get()
  const replace = database.prepare('INSERT OR REPLACE INTO outputs VALUES (?, ?, ?)')
  let number = Number(last?.segment ?? 0)
  let segment = last === undefined ? null : segmentOf(JSON.parse(String(last.positions)))
  return {
    write(sequence, positions) {
      const now = segmentOf(positions)
      if (segment !== null && now !== segment) number += 1
      segment = now
      replace.run(number, sequence, JSON.stringify(positions))
    },
  }
}
