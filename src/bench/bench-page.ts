import { countText } from '../core/count-text.ts'
import { type Axis, doublingAxis, zeroAxis } from '../report/axis.ts'
import { documentOf, figuresOf } from '../report/document.ts'
import { bytesText, manyText, millisecondsText, plainText } from '../report/figure-text.ts'
import { type Line, lineChart } from '../report/line-chart.ts'
import { type Content, html } from '../report/markup.ts'
import { stackedRows } from '../report/stacked-rows.ts'
import { rowName, rowsTable, stageParts, stagesTable } from './bench-tables.ts'
import { type BenchFigures, type BenchRow, lateMs } from './figures.ts'
import { type Roofs, roofsOf } from './roofs.ts'
import { bestOf } from './row-verdict.ts'

/** `bench.html`: the figures of a sweep as plots, made from `bench.json` alone. */
export function benchPage(figures: BenchFigures): string {
  const sizes = [...new Set(figures.rows.map(({ pageBytes }) => pageBytes))]
  return documentOf(`Bench of ${figures.job ?? 'made pages'}`, [
    heading(figures),
    sizes.map((size, nth) => sizePart(figures, size, nth)),
    rowsTable(figures.rows),
    stagesTable(figures.rows),
    method,
  ])
}

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0)
const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((left, right) => left - right)

function heading({ job, machine, dials, rows }: BenchFigures): Content {
  const best = bestOf(rows)
  const server = `a server that answers after ${millisecondsText(dials.latencyMs)}${dials.capacity === null ? '' : `, ${dials.capacity} at once`}`
  return html`<h1>Bench of ${job ?? 'made pages'}</h1>
<p class="under">${machine.cores} cores (${machine.cpu}), Node ${machine.node}; ${server}, on the same cores.</p>
${
  best === null
    ? null
    : html`<section class="verdict" aria-label="Verdict"><p>${best.bottleneck.sentence}</p>
<p>${bindingSentence(rows, best, { machine, dials })}</p></section>
${figuresOf([
  ['pages a second', plainText(best.pagesPerSecond)],
  ['received', `${plainText(best.megabytesPerSecond)} MB/s`],
  ['CPU of a page, workers', millisecondsText(best.cpuMs.workers)],
  ['CPU of a page, main thread', millisecondsText(best.cpuMs.main)],
  ['most at once, seen by the server', countText(best.peakAtServer)],
  ['loop delay, p99', millisecondsText(best.loopDelayMs.p99)],
  ['most memory', `${countText(best.rssMb)} MB`],
])}`
}
`
}

const roofNames = (roofs: Roofs, concurrency: number): readonly (readonly [name: string, pages: number])[] => [
  ['parsing', roofs.parse],
  ['the main thread', roofs.mainThread],
  ['the cores', roofs.cores],
  ['I/O', roofs.io(concurrency)],
  ...(roofs.server === null ? [] : ([['the server', roofs.server]] as const)),
]

/** The lowest roof above a row, and how near the row came to it. */
export function bindingSentence(
  rows: readonly BenchRow[],
  row: BenchRow,
  rest: Pick<BenchFigures, 'machine' | 'dials'>,
): string {
  const alike = rows.filter(({ threads, pageBytes }) => threads === row.threads && pageBytes === row.pageBytes)
  const [lowest] = [...roofNames(roofsOf(alike, rest), row.concurrency)].sort(([, left], [, right]) => left - right)
  if (lowest === undefined) return ''
  const [name, pages] = lowest
  return `The lowest roof above that is ${name}, at ${plainText(pages)} pages a second: ${Math.round((row.pagesPerSecond / pages) * 100)} % of it was reached.`
}

interface Part {
  readonly id: string
  readonly size: number
  readonly rows: readonly BenchRow[]
  readonly x: Axis
  readonly threads: readonly number[]
}

function sizePart(figures: BenchFigures, size: number, nth: number): Content {
  const rows = figures.rows.filter(({ pageBytes }) => pageBytes === size)
  const concurrency = distinct(rows.map(row => row.concurrency))
  const part: Part = {
    id: `size${nth}`,
    size,
    rows,
    x: doublingAxis('requests in flight', [concurrency[0] ?? 1, concurrency.at(-1) ?? 1], concurrency),
    threads: distinct(rows.map(row => row.threads)),
  }
  const rooflines = part.threads.map(threads => rooflinePlot(part, threads, figures))
  return html`<section aria-labelledby="${part.id}"><h2 id="${part.id}">Pages of ${bytesText(size)}</h2>
<div class="plots">${throughputPlot(part)}${loopPlot(part)}${rooflines}${stagesPlot(part)}${cpuPlot(part)}</div></section>
`
}

const byThreads = ({ rows, threads }: Part, of: (row: BenchRow) => number): Line[] =>
  threads.map(count => ({
    name: manyText(count, 'thread'),
    isMarked: true,
    points: rows.filter(row => row.threads === count).map(row => [row.concurrency, of(row)] as const),
  }))

function throughputPlot(part: Part): Content {
  const most = largest(part.rows.map(row => row.pagesPerSecond))
  return lineChart({
    id: `${part.id}-rate`,
    title: 'Throughput',
    summary: `${plainText(most)} pages a second at most.`,
    x: part.x,
    y: zeroAxis('pages a second', most),
    lines: byThreads(part, row => row.pagesPerSecond),
  })
}

function loopPlot(part: Part): Content {
  const most = largest(part.rows.map(row => row.loopDelayMs.p99))
  return lineChart({
    id: `${part.id}-loop`,
    title: 'How late the main thread was, 99th percentile',
    summary: `${millisecondsText(most)} at most; ${lateMs} ms is the bound.`,
    x: part.x,
    // With room above the bound: at the upper edge its name would lie on the unit of the axis.
    y: zeroAxis('milliseconds', Math.max(1.25 * lateMs, most)),
    lines: byThreads(part, row => row.loopDelayMs.p99),
    bounds: [{ value: lateMs, name: `bound of ${lateMs} ms` }],
  })
}

/** The sloping roof ends where it leaves the plot. */
function rooflinePlot({ id, rows, x }: Part, threads: number, figures: BenchFigures): Content {
  const own = rows.filter(row => row.threads === threads)
  const roofs = roofsOf(own, figures)
  const [first, last] = [own[0]?.concurrency ?? 1, own.at(-1)?.concurrency ?? 1]
  const flat = roofNames(roofs, 1).filter(([name]) => name !== 'I/O')
  const top = 1.6 * largest([...flat.map(([, pages]) => pages), ...own.map(row => row.pagesPerSecond)])
  const bottom = 0.6 * Math.min(roofs.io(first), ...own.map(row => row.pagesPerSecond).filter(pages => pages > 0))
  const leaves = Math.min(last, Math.max(first, (top / roofs.io(1)) * 0.98))
  const level = (pages: number): Line['points'] => [
    [first, pages],
    [last, pages],
  ]
  return lineChart({
    id: `${id}-roof${threads}`,
    title: `Roofs of I/O and parsing, ${manyText(threads, 'thread')}`,
    summary: roofNames(roofs, last)
      .map(([name, pages]) => `${name}: ${plainText(pages)} pages a second.`)
      .join(' '),
    x,
    y: doublingAxis('pages a second', [bottom, top], [], plainText),
    lines: [
      {
        name: 'I/O',
        points: [
          [first, roofs.io(first)],
          [leaves, roofs.io(leaves)],
        ],
      },
      ...flat.map(([name, pages]) => ({ name, points: level(pages) })),
      { name: 'measured', isLoose: true, points: own.map(row => [row.concurrency, row.pagesPerSecond]) },
    ],
  })
}

function stagesPlot({ id, rows }: Part): Content {
  return stackedRows({
    id: `${id}-stages`,
    title: 'The time of a page, by stage',
    summary: rows
      .map(
        row => `${rowName(row)}: ${stageParts.map(([name, of]) => `${name} ${millisecondsText(of(row))}`).join(', ')}.`,
      )
      .join(' '),
    unit: 'milliseconds a page',
    text: millisecondsText,
    parts: stageParts.map(([name]) => name),
    rows: rows.map(row => ({ name: rowName(row), values: stageParts.map(([, of]) => of(row)) })),
  })
}

const cpuPlot = ({ id, rows }: Part): Content =>
  stackedRows({
    id: `${id}-cpu`,
    title: 'The CPU of a page',
    summary: rows
      .map(
        row =>
          `${rowName(row)}: ${millisecondsText(row.cpuMs.workers)} in workers, ${millisecondsText(row.cpuMs.main)} in the main thread.`,
      )
      .join(' '),
    unit: 'milliseconds of CPU a page',
    text: millisecondsText,
    parts: ['workers', 'main thread', 'the server'],
    rows: rows.map(row => ({ name: rowName(row), values: [row.cpuMs.workers, row.cpuMs.main, row.serverCpuMs] })),
  })

const method = html`<p class="note">Every row is a run in a process of its own, with output folder and state, against a server in another process. What is measured begins when threads and connections are warm and ends before the run does. Roofs are reckoned from the least CPU and the shortest request of any row with the same threads and pages.</p>
`
