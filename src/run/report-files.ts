import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MillraceError, messageOf } from '../core/errors.ts'
import type { Report } from '../observe/report.ts'
import { outNames } from './out-names.ts'
import { replaceFile } from './replace-file.ts'

/** Rows of numbers a line each: a report has many, and is read by people too. No text in JSON holds a line feed. */
const reportText = (report: Report): string =>
  `${JSON.stringify(report, null, 2).replace(/\[\n\s+(-?[\d.][^"[\]{}]*?)\n\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`)}\n`

async function writePage(folder: string, report: Report): Promise<string> {
  // At the end of a run, so that its beginning does not wait for the code that draws.
  const { runPage } = await import('../report/run-page.ts')
  const path = join(folder, outNames.page)
  await replaceFile(path, runPage(report))
  return path
}

/** @throws SINK_FAILED */
export async function writeReportFiles(folder: string, report: Report): Promise<void> {
  await replaceFile(join(folder, outNames.report), reportText(report))
  await writePage(folder, report)
}

/** What reports of other versions may lack. */
const absent = {
  resumed: null,
  skips: {},
  budget: null,
  traps: [],
  deadByCode: {},
  hosts: [],
  droppedHosts: 0,
  proxies: [],
  pageRules: [],
  whatIf: [],
  audit: null,
  cache: null,
  timeline: {
    stepMs: 0,
    lastStepMs: 0,
    pages: [],
    bytesIn: [],
    answers: [],
    refused: [],
    inFlight: [],
    parseQueue: [],
    parsing: [],
    errors: {},
  },
} as const

/**
 * Makes `report.html` again from the `report.json` of a run.
 * @returns where it is
 * @throws CONFIG_INVALID there is no report in the folder, or what is called so is none
 */
export async function rebuildReport(folder: string): Promise<string> {
  const path = join(folder, outNames.report)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MillraceError('CONFIG_INVALID', `${path} cannot be read: a folder that a run has ended in is accepted`, {
      cause,
    })
  })
  try {
    const report: Report & { readonly stages?: unknown } = JSON.parse(text)
    return await writePage(folder, { ...absent, ...report, stageTimes: report.stageTimes ?? report.stages })
  } catch (cause) {
    if (cause instanceof MillraceError) throw cause
    const reason = messageOf(cause)
    throw new MillraceError('CONFIG_INVALID', `${path} is no report of a run: ${reason}`, { cause })
  }
}
