import { countText } from '../core/count-text.ts'
import { millisecondsText } from './figure-text.ts'
import type { Content } from './markup.ts'
import { stackedRows } from './stacked-rows.ts'
import { type Column, table } from './table.ts'

/** One stage that pages went through. */
export interface StageRow {
  /** What it is a part of: waiting, fetching, parsing; its own name where it is a whole. */
  readonly group: string
  readonly name: string
  readonly totalMs: number
  /** Null: only the total is known. */
  readonly spread: Readonly<Record<'count' | 'meanMs' | 'p50Ms' | 'p90Ms' | 'p99Ms', number>> | null
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** `parseQueue` as `parse queue`. */
const worded = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** The stages of a report: totals alone, spreads, or groups of them. */
export function stageRowsOf(stages: unknown, group = ''): readonly StageRow[] {
  if (!isFields(stages)) return []
  return Object.entries(stages).flatMap(([key, stage]): readonly StageRow[] => {
    const name = worded(key)
    if (isNumber(stage)) return [{ group: group || name, name, totalMs: stage, spread: null }]
    if (!isFields(stage)) return []
    if (!isNumber(stage.totalMs)) return stageRowsOf(stage, name)
    const [count = 0, meanMs = 0, p50Ms = 0, p90Ms = 0, p99Ms = 0] = [
      stage.count,
      stage.meanMs,
      stage.p50Ms,
      stage.p90Ms,
      stage.p99Ms,
    ].map(value => (isNumber(value) ? value : 0))
    const spread = { count, meanMs, p50Ms, p90Ms, p99Ms }
    return [{ group: group || name, name, totalMs: stage.totalMs, spread }]
  })
}

const fullName = ({ group, name }: StageRow): string => (group === name ? name : `${group}: ${name}`)

const ofSpread = (head: string, key: keyof NonNullable<StageRow['spread']>): Column<StageRow> => ({
  head,
  cell: ({ spread }) => {
    if (spread === null) return '–'
    return key === 'count' ? countText(spread[key]) : millisecondsText(spread[key])
  },
  isNumber: true,
})

const inAll: Column<StageRow> = { head: 'in all', cell: ({ totalMs }) => millisecondsText(totalMs), isNumber: true }
const spreadColumns = [
  ofSpread('times', 'count'),
  ofSpread('on average', 'meanMs'),
  ofSpread('p50', 'p50Ms'),
  ofSpread('p90', 'p90Ms'),
  ofSpread('p99', 'p99Ms'),
]

/** Where the time of a page went: a length a stage, and the figures. */
export function stagesPart(rows: readonly StageRow[], pages: number): Content {
  const shown = rows.filter(({ totalMs }) => totalMs > 0)
  if (shown.length === 0 || pages === 0) return null
  const groups = [...new Set(shown.map(({ group }) => group))]
  const longest = shown.reduce((most, row) => (row.totalMs > most.totalMs ? row : most))
  return [
    stackedRows({
      id: 'stages',
      title: 'The time of a page, by stage',
      summary: `Of the time that the run spent in its stages, shared out to its pages. The longest was ${fullName(longest)}, with ${millisecondsText(longest.totalMs / pages)} a page.`,
      unit: 'milliseconds a page',
      text: millisecondsText,
      parts: groups.length < shown.length ? groups : [],
      rows: shown.map(({ group, name, totalMs }) => ({
        name,
        values: groups.map(other => (other === group ? totalMs / pages : 0)),
      })),
    }),
    table<StageRow>({
      id: 'stage-table',
      caption: 'Stages',
      columns: [
        { head: 'stage', cell: fullName },
        inAll,
        ...(shown.some(({ spread }) => spread !== null) ? spreadColumns : []),
      ],
      rows: shown,
    }),
  ]
}
