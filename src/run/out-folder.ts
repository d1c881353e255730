import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realClock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { stores } from '../frontier/stores/index.ts'
import type { Report } from '../observe/report.ts'

/** The files a run leaves in its folder. */
export interface OutFolder {
  readonly path: string
  readonly items: string
  readonly dead: string
  readonly log: string
  /** What the run is resumed from. */
  readonly state: string
  /** Where pages are set aside; made when the first one is. */
  readonly quarantine: string
  writeReport(report: Report): Promise<void>
}

const names = {
  items: 'items.jsonl',
  dead: 'dead.jsonl',
  report: 'report.json',
  log: 'run.log',
  state: 'state.db',
} as const
/** SQLite's own, beside the state while a run is under way or after it was killed. */
const sideFiles = ['state.db-wal', 'state.db-shm', 'state.db-journal']
/** Pages that were set aside. */
const deadFolder = 'dead'

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const failure = (folder: string, what: string, cause: unknown): MillraceError =>
  new MillraceError('SINK_FAILED', `${folder} ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  })

/** The report of a run that ended in this folder with an outcome for every URL; null where there is none. */
export async function finishedReport(folder: string): Promise<Report | null> {
  const text = await readFile(join(folder, names.report), 'utf8').catch(() => null)
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
  const present = await Promise.all(
    [...Object.values(names), ...sideFiles, deadFolder].map(async name =>
      (await exists(join(folder, name))) ? [name] : [],
    ),
  )
  return present.flat()
}

/**
 * Makes the folder ready for a run, or for going on with one. Files that no run of ours can go on with are never
 * written over unasked.
 * @throws SINK_FAILED the folder cannot be made or written
 * @throws CONFIG_INVALID it holds outputs without the state of their run, and `restart` was not given
 */
export async function openOutFolder(path: string, restart: boolean): Promise<OutFolder> {
  const place = (name: string): string => join(path, name)
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    throw failure(path, 'cannot be made', cause)
  }
  const left = await leftovers(path)
  if (restart) {
    if (left.includes(names.state)) await mustBeFree(place(names.state))
    await removeAll(left.map(place))
  }
  if (!restart && left.includes(names.items) && !left.includes(names.state))
    throw new MillraceError(
      'CONFIG_INVALID',
      `${path} holds ${left.join(', ')} and no ${names.state} to go on from: name another folder with --out, or begin anew with --restart`,
    )
  const report = place(names.report)
  return {
    path,
    items: place(names.items),
    dead: place(names.dead),
    log: place(names.log),
    state: place(names.state),
    quarantine: place(deadFolder),
    async writeReport(value) {
      await writeFile(report, `${JSON.stringify(value, null, 2)}\n`).catch(cause =>
        Promise.reject(failure(report, 'could not be written', cause)),
      )
    },
  }
}

/** Another process's run is not pulled from under it. A state that is damaged is nobody's. */
async function mustBeFree(state: string): Promise<void> {
  try {
    await using _store = await stores.sqlite({ path: state, clock: realClock })
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'CONFIG_INVALID') throw thrown
  }
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await rm(path, { recursive: true }).catch(cause => Promise.reject(failure(path, 'cannot be removed', cause)))
}
