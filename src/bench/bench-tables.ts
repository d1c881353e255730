import { countText } from '../core/count-text.ts'
import type { WaitCause } from '../core/waits.ts'
import { bytesText, manyText, millisecondsText, plainText } from '../report/figure-text.ts'
import { type Content, html } from '../report/markup.ts'
import { type Column, table } from '../report/table.ts'
import { type BenchRow, lateMs } from './figures.ts'
import { boundNames } from './row-verdict.ts'

export const rowName = ({ threads, concurrency }: BenchRow): string =>
  `${manyText(threads, 'thread')}, ${concurrency} in flight`

type StagePart = readonly [name: string, of: (row: BenchRow) => number]

/** As many as there are colours that can be told apart; `stagesTable` has them one by one. */
export const stageParts: readonly StagePart[] = [
  ['connect', ({ stages }) => stages.connect + stages.tls],
  ['first byte', ({ stages }) => stages.firstByte],
  ['body', ({ stages }) => stages.body],
  ['parse queue', ({ stages }) => stages.parseQueue],
  ['parse', ({ stages }) => stages.decode + stages.extract + stages.serialise],
  ['commit', ({ stages }) => stages.commit],
]

const settingColumns: readonly Column<BenchRow>[] = [
  { head: 'setting', cell: rowName },
  { head: 'page', cell: ({ pageBytes }) => bytesText(pageBytes), isNumber: true },
]

export const rowsTable = (
  rows: readonly BenchRow[],
): Content => html`<section aria-labelledby="rows-title"><h2 id="rows-title">Figures</h2>
${table<BenchRow>({
  id: 'rows',
  caption: 'Every row of the sweep',
  most: 200,
  moreNote: ' in bench.json',
  columns: [
    ...settingColumns,
    { head: 'pages/s', cell: row => plainText(row.pagesPerSecond), isNumber: true },
    { head: 'MB/s', cell: row => plainText(row.megabytesPerSecond), isNumber: true },
    { head: 'CPU, workers', cell: ({ cpuMs }) => millisecondsText(cpuMs.workers), isNumber: true },
    { head: 'CPU, main', cell: ({ cpuMs }) => millisecondsText(cpuMs.main), isNumber: true },
    { head: 'peak at server', cell: ({ peakAtServer }) => countText(peakAtServer), isNumber: true },
    {
      head: 'loop p99',
      cell: ({ loopDelayMs: { p99 } }) =>
        html`<span class="${p99 < lateMs ? 'good' : 'bad'}">${millisecondsText(p99)}</span>`,
      isNumber: true,
    },
    { head: 'binds', cell: ({ bottleneck }) => boundNames[bottleneck.kind] },
    { head: 'memory', cell: ({ rssMb }) => `${countText(rssMb)} MB`, isNumber: true },
    { head: 'failed', cell: ({ failed }) => countText(failed), isNumber: true },
  ],
  rows,
})}</section>
`

const waitNames: Readonly<Record<WaitCause, string>> = {
  hostSlot: 'host',
  rate: 'rate',
  pause: 'pause',
  robots: 'robots',
  proxy: 'proxy',
  pageBudget: 'memory',
  parse: 'threads',
  inFlight: 'in flight',
  turn: 'turn',
}

type StageOf = (stages: BenchRow['stages']) => number

const stageColumns: readonly (readonly [head: string, of: StageOf])[] = [
  ...(Object.keys(waitNames) as WaitCause[]).map(
    cause => [`wait: ${waitNames[cause]}`, ({ wait }: BenchRow['stages']) => wait[cause] ?? 0] as const,
  ),
  ['connect', stages => stages.connect],
  ['TLS', stages => stages.tls],
  ['first byte', stages => stages.firstByte],
  ['body', stages => stages.body],
  ['parse queue', stages => stages.parseQueue],
  ['decode', stages => stages.decode],
  ['parse and extract', stages => stages.extract],
  ['serialise', stages => stages.serialise],
  ['commit', stages => stages.commit],
]

/** Stages that took no time in any row have no column. */
const stageColumnsOf = (rows: readonly BenchRow[]): Column<BenchRow>[] =>
  stageColumns
    .filter(([, of]) => rows.some(({ stages }) => of(stages) > 0))
    .map(([head, of]) => ({ head, cell: ({ stages }) => millisecondsText(of(stages)), isNumber: true }))

export const stagesTable = (
  rows: readonly BenchRow[],
): Content => html`<section aria-labelledby="stages-title"><h2 id="stages-title">Stages</h2>
${table<BenchRow>({
  id: 'stages',
  caption: 'The time of a page in each stage, on average',
  most: 200,
  moreNote: ' in bench.json',
  columns: [...settingColumns, ...stageColumnsOf(rows)],
  rows,
})}<p class="note">What is waited for before a request is that of the URL which was next: those behind it wait for it, and are not added up.</p></section>
`
