import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MillraceError } from './core/errors.ts'
import type { Report } from './observe/report.ts'

/** The files a run leaves in its folder. */
export interface OutFolder {
  readonly items: string
  readonly dead: string
  readonly log: string
  writeReport(report: Report): Promise<void>
}

const names = { items: 'items.jsonl', dead: 'dead.jsonl', report: 'report.json', log: 'run.log' } as const

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
    Object.values(names).map(async name => ((await exists(join(folder, name))) ? [name] : [])),
  )
  return present.flat()
}

/**
 * Makes the folder ready for a run. What an earlier run left is never written over unasked.
 * @throws SINK_FAILED the folder cannot be made or written
 * @throws CONFIG_INVALID it holds an earlier run, and `restart` was not given
 */
export async function openOutFolder(folder: string, restart: boolean): Promise<OutFolder> {
  const paths = { items: join(folder, names.items), dead: join(folder, names.dead), log: join(folder, names.log) }
  const report = join(folder, names.report)
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    throw failure(folder, 'cannot be made', cause)
  }
  const left = await leftovers(folder)
  if (left.length > 0 && !restart)
    throw new MillraceError(
      'CONFIG_INVALID',
      `${folder} holds an earlier run (${left.join(', ')}): name another folder with --out, or begin anew with --restart`,
    )
  for (const name of left)
    await rm(join(folder, name)).catch(cause => Promise.reject(failure(join(folder, name), 'cannot be removed', cause)))
  return {
    ...paths,
    async writeReport(value) {
      await writeFile(report, `${JSON.stringify(value, null, 2)}\n`).catch(cause =>
        Promise.reject(failure(report, 'could not be written', cause)),
      )
    },
  }
}
