import { countText } from '../core/count-text.ts'
import { isSitemapPage, startPage } from '../core/task.ts'
import type { Report } from '../observe/report.ts'
import { tellAudit } from './tell-audit.ts'
import { bold, bytes, counted, duration, printable, tell } from './terminal.ts'
import { unroutedText } from './unrouted-text.ts'

/** What a run did, for a person, once it is over. */
export function tellSummary(report: Report, folder: string | null): void {
  const { ledger } = report
  const isResumed = report.resumed !== null
  const thisTime = isResumed ? ' this time' : ''
  tell(
    `${bold(report.finished ? 'Finished' : 'Stopped')} ${printable(report.name)} after ${duration(report.durationMs)}: ` +
      `${counted(report.items, 'item')}${isResumed ? ' in all,' : ' from'} ${counted(report.parse.pages, 'page')}${thisTime}, ${report.pagesPerSecond} pages/s, ${bytes(report.bytesIn)}.`,
  )
  tell(
    `URLs: ${countText(ledger.discovered)} discovered = ${countText(ledger.done)} done + ${countText(ledger.failed)} failed + ` +
      `${countText(ledger.skipped)} skipped + ${countText(ledger.pending)} pending.`,
  )
  const dead = Object.entries(report.deadByCode).map(([code, urls]) => `${code} ${countText(urls)}`)
  if (dead.length > 0) tell(`Failed${thisTime}: ${dead.join(', ')}.`)
  const refused = report.pageRules.reduce((sum, rule) => sum + (isSitemapPage(rule.page) ? 0 : rule.refused), 0)
  if (refused > 0)
    tell(`Not kept${thisTime}: ${counted(refused, 'item')} of pages that were read; dead.jsonl says why.`)
  const skips = Object.entries(report.skips).filter(([, urls]) => urls > 0)
  if (skips.length > 0) tell(`Skipped: ${skips.map(([reason, urls]) => `${reason} ${countText(urls)}`).join(', ')}.`)
  // What is pending may be what a page rule fits.
  if (
    report.items === 0 &&
    ledger.pending === 0 &&
    report.parse.pages > 0 &&
    report.pageRules.every(({ page }) => page === startPage)
  )
    tell('No page rule fits what was read: it was read for its links alone. `match` of the page rules says what fits.')
  for (const { page, fields } of report.pageRules) tellEmpty(page, fields, thisTime)
  const down = report.proxies.filter(({ isDown }) => isDown).map(({ proxy }) => proxy)
  if (down.length > 0) {
    const share = `${countText(down.length)} of ${countText(report.proxies.length)} ${down.length === 1 ? 'was' : 'were'}`
    tell(`Proxies: ${share} left alone at the end: ${namedOf(down)}. \`millrace proxies\` says why.`)
  }
  if (report.cache !== null) {
    const { hits, revalidated, stored } = report.cache
    tell(
      `Cache: ${counted(hits, 'answer')} used without asking, ${countText(revalidated)} confirmed by their hosts, ${countText(stored)} stored.`,
    )
  }
  if (report.budget !== null)
    tell(`Ended by budget.${report.budget}; the same command goes on with what is left, and may spend as much again.`)
  const [trap] = report.traps
  if (trap !== undefined)
    tell(
      `Not followed: ${counted(report.traps.length, 'endless row')} of URLs, such as ${printable(trap.pattern)} (${printable(trap.example)}).`,
    )
  if (report.unrouted !== null) tell(`Not fetched${thisTime}: ${unroutedText(report.unrouted)}.`)
  const tail = report.tail?.sentence ?? null
  if (tail !== null) tell(printable(tail))
  tell(`${tail === null ? '' : 'On average over all of it: '}${report.bottleneck.sentence}`)
  if (report.parse.advice) tell(report.parse.advice)
  tellAudit(report.audit)
  if (folder !== null) tell(`Output in ${printable(folder)}`)
}

/** A message need not list all that a schema for another kind of page lacks, nor a thousand proxies. */
const mostNamed = 10

/** A field that no item has a value for is most often a selector that fits nothing. */
function tellEmpty(page: string, fields: Report['pageRules'][number]['fields'], thisTime: string): void {
  const empty = Object.entries(fields).flatMap(([field, share]) => (share === 0 ? [field] : []))
  if (empty.length === 0) return
  tell(`Page rule ${printable(page)}: no item${thisTime} has a value for ${namedOf(empty)}.`)
}

function namedOf(names: readonly string[]): string {
  const rest = names.length > mostNamed ? ` and ${countText(names.length - mostNamed)} more` : ''
  return `${names.slice(0, mostNamed).map(printable).join(', ')}${rest}`
}
