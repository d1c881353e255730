import { countText } from '../core/count-text.ts'
import type { Report } from '../observe/report.ts'
import { documentOf, figuresOf } from './document.ts'
import { bytesText, durationText, manyText, millisecondsText, percentText, plainText } from './figure-text.ts'
import { type Content, html } from './markup.ts'
import {
  auditTable,
  deadTable,
  fieldsTable,
  hostsTable,
  pagesTable,
  proxiesTable,
  skipsTable,
  trapsTable,
} from './run-tables.ts'
import { stageRowsOf, stagesPart } from './stage-rows.ts'
import { timePlots } from './time-plots.ts'

/** `report.html`: what a run did, for people. Made from `report.json` alone, so that it can be made again. */
export const runPage = (report: Report): string =>
  documentOf(`${report.name}: report of a run`, [
    heading(report),
    verdict(report),
    figures(report),
    overTime(report),
    stages(report),
    tables(report),
  ])

const momentText = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`

function beginningOf({ startedAt, resumed }: Report): string {
  if (resumed === null) return `began ${momentText(startedAt)}`
  const left = `${manyText(resumed.done, 'page')} done and ${manyText(resumed.pending, 'URL')} to go`
  return `went on ${momentText(startedAt)} where an earlier run stopped, with ${left}`
}

const heading = (report: Report): Content =>
  html`<h1>${report.name}</h1>
<p class="under">${report.finished ? 'Finished' : 'Stopped'} after ${durationText(report.durationMs)}; ${beginningOf(report)}.${report.resumed === null ? null : ' Items, URLs and what was skipped are of all of it; everything else is since it went on.'}${report.budget === null ? null : ` Ended by budget.${report.budget}.`}</p>
`

/** `workersBusy` as `workers busy`. */
const worded = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
const isShare = (name: string, value: number): boolean => /(busy|full|share|fullness)$/i.test(name) && value <= 1.5

/** What the verdict rests on, whatever it is: versions differ in what they measure. */
function evidenceOf(evidence: object, isPart = false): readonly string[] {
  return Object.entries(evidence).flatMap(([name, value]: [string, unknown]): readonly string[] => {
    if (typeof value === 'number' && Number.isFinite(value))
      return [`${worded(name)} ${isPart || isShare(name, value) ? percentText(value) : plainText(value)}`]
    if (typeof value === 'boolean') return [`${worded(name)}: ${value ? 'yes' : 'no'}`]
    if (typeof value !== 'object' || value === null) return []
    const parts = evidenceOf(value, true)
    return parts.length === 0 ? [] : [`${worded(name)}: ${parts.join(', ')}`]
  })
}

function verdict({ bottleneck, tail, parse, whatIf }: Report): Content {
  const guesses = whatIf.map(
    ({ change, pagesPerSecond, gain, isAtMost }) =>
      html`<li>${change}: ${isAtMost ? 'at most' : 'about'} ${plainText(pagesPerSecond)} pages/s (${gain >= 0 ? '+' : '−'}${percentText(Math.abs(gain))})</li>`,
  )
  // Reports of older versions have none.
  const ending = tail?.sentence ?? null
  return html`<section class="verdict" aria-label="Verdict">${ending === null ? null : html`<p>${ending}</p>`}<p>${ending === null ? null : 'On average over all of it: '}${bottleneck.sentence}</p>
${parse.advice === null ? null : html`<p>${parse.advice}</p>`}<p class="note">${evidenceOf(bottleneck.evidence).join(' · ')}</p>
${guesses.length === 0 ? null : html`<p>What a change would bring, by the model:</p><ul>${guesses}</ul>`}</section>
`
}

function figures(report: Report): Content {
  const { ledger, parse, cpuMs, loopDelayMs, cache, unrouted } = report
  const perPage = (ms: number): string => (parse.pages === 0 ? '-' : millisecondsText(ms / parse.pages))
  return figuresOf([
    ['items', countText(report.items)],
    ['pages read', countText(parse.pages)],
    ['pages a second', plainText(report.pagesPerSecond)],
    ['received', bytesText(report.bytesIn)],
    ['URLs discovered', countText(ledger.discovered)],
    ['done', countText(ledger.done)],
    ['failed', countText(ledger.failed)],
    ['skipped', countText(ledger.skipped)],
    ['pending', countText(ledger.pending)],
    ['most in flight at once', countText(report.peakInFlight)],
    ['CPU of a page, workers', perPage(cpuMs.workers)],
    ['CPU of a page, main thread', perPage(cpuMs.main)],
    ['loop delay, p99', millisecondsText(loopDelayMs.p99)],
    ['threads, engine', `${parse.threads}, ${parse.engine}`],
    ...(unrouted ? ([['followed links that fit no page rule', countText(unrouted.count)]] as const) : []),
    ...(cache === null ? [] : ([['from the cache', manyText(cache.hits, 'answer')]] as const)),
  ])
}

/** Reports of older versions have none. */
function overTime(run: Report): Content {
  if (run.timeline.pages.length === 0) return null
  return html`<section aria-labelledby="time"><h2 id="time">Over time</h2>
${run.resumed === null ? null : html`<p class="note">Since the run went on, ${momentText(run.startedAt)}.</p>`}<div class="plots timed">${timePlots(run)}</div></section>
`
}

const stages = ({ stageTimes, parse }: Report): Content =>
  html`<section aria-labelledby="time-spent"><h2 id="time-spent">Where the time went</h2>
<div class="plots">${stagesPart(stageRowsOf(stageTimes), parse.pages)}</div></section>
`

const part = (isThere: boolean, content: () => Content): Content => (isThere ? content() : null)

const tables = (
  report: Report,
): Content => html`<section aria-labelledby="lists"><h2 id="lists">Hosts, pages, proxies</h2>
${hostsTable(report.hosts)}
${part(report.droppedHosts > 0, () => html`<p class="note">hosts of few answers that are not kept: ${countText(report.droppedHosts)}</p>`)}
${part(report.pageRules.length > 0, () => pagesTable(report.pageRules))}
${fieldsTable(report.pageRules)}
${part(report.proxies.length > 0, () => proxiesTable(report.proxies))}
${part(report.ledger.failed > 0, () => deadTable(report))}
${part(report.ledger.skipped > 0, () => skipsTable(report.skips))}
${part(report.traps.length > 0, () => trapsTable(report.traps))}
${part((report.audit?.fields.length ?? 0) > 0, () => auditTable(report.audit?.fields ?? []))}
</section>
`
