import { countText } from '../core/count-text.ts'
import { type ErrorCode, errorTraits } from '../core/errors.ts'
import type { Report } from '../observe/report.ts'
import { bytesText, millisecondsText, percentText, plainText } from './figure-text.ts'
import type { Markup } from './markup.ts'
import { table } from './table.ts'

const inReport = ' in report.json'
const number = true

type Host = Report['hosts'][number]
type Proxy = Report['proxies'][number]
type PageRule = Report['pageRules'][number]

export const hostsTable = (hosts: readonly Host[]): Markup =>
  table<Host>({
    id: 'hosts',
    caption: 'Hosts, the busiest first',
    moreNote: inReport,
    columns: [
      { head: 'host', cell: ({ host }) => host },
      { head: 'requests', cell: ({ requests }) => countText(requests), isNumber: number },
      { head: 'limit', cell: ({ limit }) => plainText(limit), isNumber: number },
      { head: 'peak', cell: ({ peakInFlight }) => countText(peakInFlight), isNumber: number },
      { head: 'held full', cell: ({ fullness }) => percentText(fullness), isNumber: number },
      { head: 'first byte p50', cell: ({ latencyMs }) => millisecondsText(latencyMs.p50), isNumber: number },
      { head: 'p95', cell: ({ latencyMs }) => millisecondsText(latencyMs.p95), isNumber: number },
      { head: 'blocked', cell: ({ blockRate }) => percentText(blockRate), isNumber: number },
      { head: 'pauses', cell: ({ pauses }) => countText(pauses), isNumber: number },
      {
        head: 'notes',
        cell: ({ notes, reason, limitChanges }) =>
          [...notes, ...(reason === null ? [] : [`reason: ${reason}`]), lastChangeOf(limitChanges)]
            .filter(text => text !== '')
            .join('; '),
      },
    ],
    rows: hosts,
  })

function lastChangeOf(changes: Host['limitChanges']): string {
  const last = changes.at(-1)
  return last === undefined ? '' : `last change ${plainText(last.from)} → ${plainText(last.to)}: ${last.reason}`
}

export const pagesTable = (rules: readonly PageRule[]): Markup =>
  table<PageRule>({
    id: 'pages',
    caption: 'Pages, by the rule that read them',
    moreNote: inReport,
    columns: [
      { head: 'page rule', cell: ({ page }) => page },
      { head: 'pages', cell: ({ pages }) => countText(pages), isNumber: number },
      { head: 'items', cell: ({ items }) => countText(items), isNumber: number },
      { head: 'links', cell: ({ links }) => countText(links), isNumber: number },
      { head: 'failed', cell: ({ failed }) => countText(failed), isNumber: number },
      {
        head: 'a page, as sent',
        cell: ({ bytesIn, pages }) => bytesText(bytesIn / Math.max(1, pages)),
        isNumber: number,
      },
      { head: 'decoded', cell: rule => bytesText(rule.decodedBytes / Math.max(1, rule.pages)), isNumber: number },
      {
        head: 'CPU of a page',
        cell: ({ cpuMs, pages }) => millisecondsText(cpuMs / Math.max(1, pages)),
        isNumber: number,
      },
    ],
    rows: rules,
  })

interface Field {
  readonly page: string
  readonly field: string
  readonly share: number
}

/** A report of an earlier version has no fields. */
const fieldsOf = ({ page, fields = {} }: Partial<Pick<PageRule, 'fields'>> & Pick<PageRule, 'page'>): Field[] =>
  Object.entries(fields).map(([field, share]) => ({ page, field, share }))

/** 99.9 % is not all of them. */
const shareText = (share: number): string => `${+(share * 100).toFixed(1)} %`

/** Those that are filled least first: the table is cut where it is long, and what is always there is of no interest. */
export function fieldsTable(rules: readonly PageRule[]): Markup | null {
  const rows = rules.flatMap(fieldsOf).sort((left, right) => left.share - right.share)
  if (rows.length === 0) return null
  return table<Field>({
    id: 'fields',
    caption: 'Fields, by how many of the items have a value for them',
    moreNote: inReport,
    columns: [
      { head: 'field', cell: ({ field }) => field },
      { head: 'page rule', cell: ({ page }) => page },
      { head: 'filled', cell: ({ share }) => shareText(share), isNumber: number },
    ],
    rows,
  })
}

export const proxiesTable = (proxies: readonly Proxy[]): Markup =>
  table<Proxy>({
    id: 'proxies',
    caption: 'Proxies',
    moreNote: inReport,
    columns: [
      { head: 'proxy', cell: ({ proxy }) => proxy },
      { head: 'region', cell: ({ region }) => region },
      { head: 'uses', cell: ({ uses }) => countText(uses), isNumber: number },
      { head: 'score', cell: ({ score }) => plainText(score), isNumber: number },
      {
        head: 'p95',
        cell: ({ latencyP95Ms }) => (latencyP95Ms === null ? '–' : millisecondsText(latencyP95Ms)),
        isNumber: number,
      },
      { head: 'cool-downs', cell: ({ coolDowns }) => countText(coolDowns), isNumber: number },
      { head: 'at the end', cell: ({ isDown }) => (isDown ? 'left alone' : 'in use') },
      {
        head: 'failures',
        cell: ({ failures }) =>
          Object.entries(failures)
            .filter(([, count]) => count > 0)
            .map(([kind, count]) => `${kind} ${countText(count)}`)
            .join(', '),
      },
      {
        head: 'refused by',
        cell: ({ blockRates }) =>
          blockRates
            .filter(({ rate }) => rate > 0)
            .slice(0, 3)
            .map(({ host, rate }) => `${host} ${percentText(rate)}`)
            .join(', '),
      },
    ],
    rows: proxies,
  })

const meaningOf = (code: string): string =>
  Object.hasOwn(errorTraits, code) ? errorTraits[code as ErrorCode].meaning : ''

/** Codes are counted by the process that met them; of a run that was gone on with, earlier ones are in dead.jsonl alone. */
export function deadTable({ deadByCode, ledger }: Pick<Report, 'deadByCode' | 'ledger'>): Markup {
  const rows = Object.entries(deadByCode).sort(([, left], [, right]) => right - left)
  const told = rows.reduce((sum, [, urls]) => sum + urls, 0)
  const before = ledger.failed > told ? ` (and ${countText(ledger.failed - told)} before this process began)` : ''
  return table<[string, number]>({
    id: 'dead',
    caption: `URLs that failed, by code${before}; each is a line of dead.jsonl`,
    columns: [
      { head: 'code', cell: ([code]) => code },
      { head: 'URLs', cell: ([, count]) => countText(count), isNumber: number },
      { head: 'meaning', cell: ([code]) => meaningOf(code) },
    ],
    rows,
  })
}

export const skipsTable = (skips: Report['skips']): Markup =>
  table<[string, number]>({
    id: 'skips',
    caption: 'URLs that were left alone on purpose',
    columns: [
      { head: 'because', cell: ([reason]) => reason },
      { head: 'URLs', cell: ([, count]) => countText(count), isNumber: number },
    ],
    rows: Object.entries(skips)
      .filter(([, count]) => count > 0)
      .sort(([, left], [, right]) => right - left),
  })

export const trapsTable = (traps: Report['traps']): Markup =>
  table<Report['traps'][number]>({
    id: 'traps',
    caption: 'Endless rows of URLs, not followed to their end',
    moreNote: inReport,
    columns: [
      { head: 'pattern', cell: ({ pattern }) => pattern },
      { head: 'example', cell: ({ example }) => example },
    ],
    rows: traps,
  })

type AuditedField = NonNullable<Report['audit']>['fields'][number]

export const auditTable = (fields: readonly AuditedField[]): Markup =>
  table<AuditedField>({
    id: 'audit',
    caption: 'Fields that the two parsers read differently',
    moreNote: inReport,
    columns: [
      { head: 'field', cell: ({ page, path }) => `${page} ${path}` },
      { head: 'pages', cell: ({ differing }) => countText(differing), isNumber: number },
      { head: 'fast', cell: ({ fast }) => fast },
      { head: 'browser', cell: ({ browser }) => browser },
      { head: 'such as', cell: ({ exampleUrl }) => exampleUrl },
    ],
    rows: fields,
  })
