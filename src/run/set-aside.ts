import { relative } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { SetAside } from '../crawl/suspects.ts'
import { createQuarantine } from '../sink/quarantine.ts'
import type { OutFolder } from './out-folder.ts'

const inShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Sets pages aside in the folder of the run, and says how to read them again; null where there is no folder. */
export function setAsideIn(folder: OutFolder | null, jobFile: string, clock: Clock): SetAside | null {
  if (folder === null) return null
  const quarantine = createQuarantine(folder.quarantine)
  return async (page, body, fault) => {
    const path = await quarantine.setAside(page, body, fault, clock.wallIso())
    return `millrace parse ${inShell(jobFile)} ${inShell(relative('', path))} --replay`
  }
}
