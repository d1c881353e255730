import { rename, rm } from 'node:fs/promises'
import type { Column } from '../../stage/columns.ts'
import { exists } from '../exists.ts'
import { convertToParquet } from '../parquet-thread.ts'
import { createPartedFile, type Rotation } from '../parted-file.ts'
import { emptyPosition, type Position, type Sink } from '../sink.ts'
import type { Format, Place } from './format.ts'
import { partPath, verifyParts } from './line-files.ts'

/**
 * Parquet can be read only once its footer is written, so it cannot be appended to and cut back. Items are therefore kept
 * as lines of JSON first, as any other output, and each file of them that is ended is made into one Parquet file, in a
 * thread: `items-00001.jsonl` goes when `items-00001.parquet` is whole. Making it again gives the same, so a process may
 * die at any instant of it. The last file is ended when the run is finished; of a run that was only stopped, its last
 * items are still lines, and going on takes them up.
 */
export const parquet: Format = {
  fileOf: place => journalOf(place, 1),
  open,
  async verify(place, checkpoints) {
    const last = checkpoints.at(-1)?.part ?? 1
    // Made into Parquet already, in an earlier run that had ended.
    const isMade = await exists(parquetOf(place, last))
    const left = isMade ? checkpoints.filter(({ part = 1 }) => part !== last) : checkpoints
    for (const [part, marks] of Map.groupBy(left, ({ part = 1 }) => part))
      if (part === last || (await exists(journalOf(place, part))))
        await verifyParts(() => journalOf(place, part), marks)
  },
}

/** What a file of lines grows to, where the job does not say: some hundred thousand items, converted in a second. */
const usual: Rotation = { bytes: 64_000_000, everyMs: null }

const inParts = (place: Place): Place => ({ ...place, rotation: place.rotation ?? usual })
const journalOf = (place: Place, part: number): string => partPath(inParts(place), part, '.jsonl')
const parquetOf = (place: Place, part: number): string => partPath(inParts(place), part, '.parquet')

async function convert(place: Place, part: number): Promise<void> {
  const [source, target] = [journalOf(place, part), parquetOf(place, part)]
  if (!(await exists(source))) return
  const columns: readonly Column[] = place.columns
  await convertToParquet({ source, target: `${target}.part`, columns })
  await rename(`${target}.part`, target)
  await rm(source)
}

async function open(place: Place, start: Position): Promise<Sink> {
  let converting: Promise<void> = Promise.resolve()
  let failure: { readonly thrown: unknown } | null = null
  /** One after the other: a thread of them is enough. */
  const convertSoon = (part: number): void => {
    converting = converting
      .then(() => convert(place, part))
      .catch(thrown => {
        failure ??= { thrown }
      })
  }
  const from = await goOn(place, start)
  for (let part = 1; part < (from.part ?? 1); part += 1) if (await exists(journalOf(place, part))) convertSoon(part)
  const file = await createPartedFile({
    clock: place.clock,
    pathOf: part => journalOf(place, part),
    start: from,
    rotation: inParts(place).rotation,
    onClosed: convertSoon,
  })

  return {
    get position() {
      return file.position
    },
    async write(chunks, count) {
      if (failure !== null) throw failure.thrown
      await file.write(chunks, count)
    },
    async complete() {
      await file[Symbol.asyncDispose]()
      const { bytes, part = 1 } = file.position
      // Of no items there is one table without rows.
      if (bytes > 0 || part === 1) convertSoon(part)
      else await rm(journalOf(place, part), { force: true })
      await converting
      if (failure !== null) throw failure.thrown
    },
    async [Symbol.asyncDispose]() {
      await file[Symbol.asyncDispose]()
      await converting
    },
  }
}

/** Where the last part has been made into Parquet, the run had ended: what comes now goes into the next one. */
async function goOn(place: Place, start: Position): Promise<Position> {
  const part = start.part ?? 1
  if (start.bytes === 0 || !(await exists(parquetOf(place, part)))) return start
  await rm(journalOf(place, part), { force: true })
  return { ...emptyPosition, lines: start.lines, part: part + 1 }
}
