import type { AuditReport } from '../observe/audit-tally.ts'
import { bold, counted, dim, duration, printable, tell } from './terminal.ts'

const fieldsShown = 20

/** What the two parsers made of the same pages: whether the one that the job uses will do. */
export function tellAudit(audit: AuditReport | null): void {
  if (audit === null) return
  const { pages, skipped, cpuMs, fields } = audit
  const left = skipped === 0 ? '' : `; ${counted(skipped, 'page')} left out, too deep or too long for it`
  const found =
    fields.length === 0
      ? 'no field differs'
      : `${counted(fields.length, 'field')} ${fields.length === 1 ? 'differs' : 'differ'}`
  tell(`Audit: ${counted(pages, 'page')} read by both parsers, ${found} (${duration(cpuMs)} of CPU${left}).`)
  for (const { page, path, differing, exampleUrl, fast, browser } of fields.slice(0, fieldsShown)) {
    tell(`  ${bold(printable(`${page} ${path}`))} on ${counted(differing, 'page')}, such as ${printable(exampleUrl)}`)
    tell(`    fast     ${printable(fast)}`)
    tell(`    browser  ${printable(browser)}`)
  }
  if (fields.length > fieldsShown) tell(dim(`  and ${fields.length - fieldsShown} more in report.json`))
}
