import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type ErrorCode, MillraceError, messageOf, sinkFailure } from '../core/errors.ts'
import { sendableUrl } from '../core/url.ts'
import type { JsonValue } from '../core/wire.ts'
import type { DeadTask } from '../frontier/stores/revive.ts'
import { openTaskDatabase, type TaskDatabase } from '../frontier/stores/task-database.ts'
import { exists } from '../sink/exists.ts'
import { fileLines } from '../sink/file-lines.ts'
import { emptyPosition, type Position } from '../sink/sink.ts'
import { outNames } from './out-names.ts'
import { positionsOf } from './outputs.ts'
import { nextOf, replaceFile } from './replace-file.ts'
import { isSwapping, renameDead, swapKey } from './swap-dead.ts'

/** What was put back, and what is still dead. */
export interface Retried {
  readonly retried: Readonly<Partial<Record<ErrorCode, number>>>
  readonly left: number
}

/**
 * Puts dead URLs of a run back, so that `run` goes on with them: they are pending again with nothing tried, and their
 * dead letters are gone, so that what is in `dead.jsonl` is dead at all times.
 *
 * The letters that stay are written to a new file; one transaction then says that its tasks are pending, and where the new
 * file ends; then the file takes the place of the old one. A process that dies before the transaction has done nothing,
 * and one that dies after it is finished by whoever opens the folder next.
 *
 * @param codes null: whatever they died of
 * @throws CONFIG_INVALID the folder holds no run, or one that is under way
 * @throws STORE_FAILED its state is damaged
 * @throws SINK_FAILED a file cannot be written
 */
export async function retryDead(folder: string, codes: readonly ErrorCode[] | null): Promise<Retried> {
  const path = join(folder, outNames.state)
  const dead = join(folder, outNames.dead)
  if (!(await exists(path)))
    throw new MillraceError('CONFIG_INVALID', `${folder} holds no ${outNames.state}: name the folder of a run`)
  const database = openState(path)
  try {
    if (database.readMeta(swapKey) === isSwapping) {
      await renameDead(dead)
      // On the disk before there is a new file: the next process would take that for the one that was meant.
      database.writeMeta(swapKey, 'no', true)
    }
    const all = database.dead(null)
    const chosen = database.dead(codes).filter(({ url }) => sendableUrl(url) !== null)
    if (chosen.length === 0) return { retried: {}, left: all.length }
    const end = positionsOf(database.recovered.positions).dead ?? emptyPosition
    const shorter = await writeOthers(dead, end, chosen)
    await markUnfinished(join(folder, outNames.report))
    database.revive(chosen, (positions, isLast) => withDead(positions, isLast ? shorter : emptyPosition), {
      [swapKey]: isSwapping,
    })
    await renameDead(dead)
    database.writeMeta(swapKey, 'no', false)
    const byCode = Object.groupBy(chosen, ({ reason }) => reason)
    const retried = Object.fromEntries(Object.entries(byCode).map(([code, tasks = []]) => [code, tasks.length]))
    return { retried, left: all.length - chosen.length }
  } finally {
    database.close()
  }
}

const withDead = (kept: JsonValue, dead: Position): JsonValue => ({ ...positionsOf(kept), dead })

function openState(path: string): TaskDatabase {
  try {
    return openTaskDatabase(path)
  } catch (thrown) {
    const message = messageOf(thrown)
    throw /locked|busy/i.test(message)
      ? new MillraceError('CONFIG_INVALID', `${path} is in use: its run is under way, and would not hear of it`)
      : new MillraceError('STORE_FAILED', `${path} cannot be read: ${message}`, { cause: thrown })
  }
}

const keyOf = (url: unknown, code: unknown): string => JSON.stringify([url, code])

/** Dead letters of other URLs, in a new file; where it ends. */
async function writeOthers(dead: string, end: Position, chosen: readonly DeadTask[]): Promise<Position> {
  const gone = new Set(chosen.map(({ askedUrl, reason }) => keyOf(askedUrl, reason)))
  const next = nextOf(dead)
  await rm(next, { force: true })
  const file: FileHandle = await open(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL)
  let { bytes, lines, crc } = emptyPosition
  try {
    // Beyond its committed end lie letters of a process that died: they belong to nobody.
    for await (const line of fileLines(dead, 0, end.bytes)) {
      const { url, code } = JSON.parse(line.toString())
      if (gone.has(keyOf(url, code))) continue
      const kept = Buffer.concat([line, Buffer.from('\n')])
      await file.writeFile(kept)
      bytes += kept.byteLength
      lines += 1
      crc = crc32(kept, crc)
    }
    await file.sync()
  } catch (cause) {
    throw sinkFailure(next, 'could not be written', cause)
  } finally {
    await file.close()
  }
  return { bytes, lines, crc }
}

/** Otherwise `run` would say that there is nothing left to do. The report itself is written anew by then. */
async function markUnfinished(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return
  await replaceFile(path, `${JSON.stringify({ ...JSON.parse(text), finished: false }, null, 2)}\n`)
}
