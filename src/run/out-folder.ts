import { lstat, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { realClock } from '../core/clock.ts'
import { MillraceError, sinkFailure } from '../core/errors.ts'
import { stores } from '../frontier/stores/index.ts'
import type { Report } from '../observe/report.ts'
import { outNames } from './out-names.ts'
import { nextOf } from './replace-file.ts'
import { writeReportFiles } from './report-files.ts'

/** The files a run leaves in its folder. */
export interface OutFolder {
  readonly path: string
  /** Of the files of the items, without what their format adds. */
  readonly items: string
  readonly dead: string
  readonly log: string
  /** What the run is resumed from. */
  readonly state: string
  /** Which pages are being parsed; gone when a run ends well. */
  readonly parsing: string
  /** Where pages are set aside; made when the first one is. */
  readonly quarantine: string
  archive(name: string): string
  writeReport(report: Report): Promise<void>
}

/** What a process that was killed may leave beside them: SQLite's own files, and files that were not whole yet. */
const sideFiles = [
  ...['-wal', '-shm', '-journal'].map(ending => outNames.state + ending),
  ...[outNames.dead, outNames.report, outNames.page].map(nextOf),
]
/** Items, in any format. */
const itemFile = /^items(?:-\d+)?\.(?:jsonl|csv|parquet)(?:\.gz|\.zst|\.part)?$/
/** Pages that were set aside. */
const deadFolder = 'dead'

/** The report of a run that ended in this folder with an outcome for every URL; null where there is none. */
export async function finishedReport(folder: string): Promise<Report | null> {
  const text = await readFile(join(folder, outNames.report), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const report: Report = JSON.parse(text)
    return report.finished === true ? report : null
  } catch {
    return null
  }
}

/** Files of an earlier run that a restart removes, by name. */
export async function leftovers(folder: string): Promise<readonly string[]> {
  const present = await readdir(folder).catch(() => [])
  const fixed: ReadonlySet<string> = new Set([...Object.values(outNames), ...sideFiles, deadFolder])
  return present.filter(name => fixed.has(name) || itemFile.test(name)).sort()
}

/** Whoever named it meant something else: the place is taken. */
const takenCodes: readonly string[] = ['EEXIST', 'ENOTDIR']

function cannotMake(path: string, cause: unknown): MillraceError {
  if (takenCodes.includes(String((cause as NodeJS.ErrnoException).code)))
    return new MillraceError(
      'CONFIG_INVALID',
      `${path} cannot be the folder of a run: it is a file, or in one; name another folder with --out`,
      { cause },
    )
  return sinkFailure(path, 'cannot be made', cause)
}

/**
 * With all above it. Not by `recursive`, which tries for ever where a folder is there and nothing can be made in it, such
 * as /proc.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT') throw cause
    await makeFolder(dirname(path))
    await mkdir(path)
  }
}

/** @throws SINK_FAILED it cannot be made; CONFIG_INVALID it is a file, or in one */
export async function makeOutFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
  } catch (cause) {
    throw cannotMake(path, cause)
  }
}

/**
 * Makes the folder ready for a run, or for going on with one. Files that no run of ours can go on with are never
 * written over unasked.
 * @throws SINK_FAILED the folder cannot be made or written
 * @throws CONFIG_INVALID it is a file, or it holds outputs without the state of their run, and `restart` was not given
 */
export async function openOutFolder(path: string, restart: boolean): Promise<OutFolder> {
  const place = (name: string): string => join(path, name)
  await makeOutFolder(path)
  const left = await leftovers(path)
  if (restart) {
    if (left.includes(outNames.state)) await mustBeFree(place(outNames.state))
    await removeAll(left.map(place))
  } else await mustBeOurs(path, left)
  if (!restart && left.some(name => itemFile.test(name)) && !left.includes(outNames.state))
    throw new MillraceError(
      'CONFIG_INVALID',
      `${path} holds ${left.join(', ')} and no ${outNames.state} to go on from: name another folder with --out, or begin anew with --restart`,
    )
  return {
    path,
    items: place('items'),
    dead: place(outNames.dead),
    log: place(outNames.log),
    state: place(outNames.state),
    parsing: place(outNames.parsing),
    quarantine: place(deadFolder),
    archive: place,
    writeReport: report => writeReportFiles(path, report),
  }
}

/** A link in the place of a file of ours would have us write where somebody else wants it. */
async function mustBeOurs(folder: string, left: readonly string[]): Promise<void> {
  for (const name of left)
    if ((await lstat(join(folder, name))).isSymbolicLink())
      throw new MillraceError(
        'CONFIG_INVALID',
        `${join(folder, name)} is a link, and files of a run are written in their folder alone: remove it`,
      )
}

/** Another process's run is not pulled from under it. A state that is damaged is nobody's. */
async function mustBeFree(state: string): Promise<void> {
  try {
    await using _store = await stores.sqlite({ path: state, clock: realClock })
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'CONFIG_INVALID') throw thrown
  }
}

/** What is gone by now is as good as removed: SQLite takes its own files with it when it closes a database. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await rm(path, { recursive: true, force: true }).catch(cause =>
      Promise.reject(sinkFailure(path, 'cannot be removed', cause)),
    )
}
