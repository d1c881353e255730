import type { Report } from '../observe/report.ts'
import { bold, bytes, count, counted, duration, printable, tell } from './terminal.ts'

/** What a run did, for a person, once it is over. */
export function tellSummary(report: Report, folder: string | null): void {
  const { ledger } = report
  tell(
    `${bold(report.finished ? 'Finished' : 'Stopped')} ${printable(report.name)} after ${duration(report.durationMs)}: ` +
      `${counted(report.items, 'item')} from ${counted(report.parse.pages, 'page')}, ${report.pagesPerSecond} pages/s, ${bytes(report.bytesIn)}.`,
  )
  tell(
    `URLs: ${count(ledger.discovered)} discovered = ${count(ledger.done)} done + ${count(ledger.failed)} failed + ` +
      `${count(ledger.skipped)} skipped + ${count(ledger.pending)} pending.`,
  )
  const dead = Object.entries(report.deadByCode).map(([code, urls]) => `${code} ${count(urls)}`)
  if (dead.length > 0) tell(`Failed: ${dead.join(', ')}.`)
  const skips = Object.entries(report.skips).filter(([, urls]) => urls > 0)
  if (skips.length > 0) tell(`Skipped: ${skips.map(([reason, urls]) => `${reason} ${count(urls)}`).join(', ')}.`)
  tell(report.bottleneck.sentence)
  if (report.parse.advice) tell(report.parse.advice)
  if (folder !== null) tell(`Output in ${printable(folder)}`)
}
