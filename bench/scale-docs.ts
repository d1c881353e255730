import { writeFile } from 'node:fs/promises'
import { tableOf, writeFigures } from './docs-figures.ts'
import { machine } from './machine.ts'
import { type Line, linesPlot } from './scale-plot.ts'

/** What was counted for pages of one cost. */
export interface Curve {
  readonly parseMs: number
  readonly points: readonly {
    readonly threads: number
    readonly pagesPerSecond: number
    readonly mainBusy: number
    readonly workersBusy: number
  }[]
}

export interface ScaleFigures {
  readonly spineMs: number
  readonly mainMs: number
  readonly hosts: number
  readonly pages: number
  readonly curves: readonly Curve[]
}

/** The main thread has no more to give. */
export const isFull = ({ mainBusy }: { readonly mainBusy: number }): boolean => mainBusy >= 0.95

const docs = new URL('../docs/', import.meta.url)
const round = (value: number, digits = 0): string => value.toFixed(digits)

export const plotLines = (curves: readonly Curve[]): readonly Line[] =>
  curves.map(({ parseMs, points }) => ({
    name: `${parseMs} ms a page`,
    points: points.map(({ threads, pagesPerSecond }) => [threads, pagesPerSecond] as const),
  }))

export const plotLabels = { x: 'threads', y: 'pages a second' }

function table({ mainMs, curves }: ScaleFigures): string {
  const most = curves[0]?.points.at(-1)?.threads ?? 0
  const head = ['a page costs a thread', 'main thread full at', 'by cost', `${most} threads`, 'main thread', 'threads']
  const rows = curves.map(({ parseMs, points }) => {
    const full = points.find(isFull)
    const last = points.at(-1)
    return [
      `${parseMs} ms`,
      full === undefined ? `not within ${most} threads` : `${full.threads} threads`,
      `${round(parseMs / mainMs, 1)} threads`,
      `${round(last?.pagesPerSecond ?? 0)} pages/s`,
      `${round(100 * (last?.mainBusy ?? 0))} % busy`,
      `${round(100 * (last?.workersBusy ?? 0))} % busy`,
    ]
  })
  return tableOf(head, rows)
}

function sectionOf(figures: ScaleFigures): string {
  const { spineMs, mainMs, hosts, pages } = figures
  return [
    `A page costs the main thread ${round(mainMs * 1_000)} µs, of which ${round(spineMs * 1_000)} µs are queue, gates, events and commits and the`,
    `rest is sockets and hand-over (${machine.cpu}, Node ${machine.node}). So it ends at ${round(1_000 / mainMs)} pages a second, whatever the threads.`,
    `${pages.toLocaleString('en')} pages of ${hosts.toLocaleString('en')} hosts, in simulated time:`,
    '',
    table(figures),
    '',
    '![pages a second by threads](scale.svg)',
  ].join('\n')
}

/** Puts the figures into docs/bench.md, and the plot beside it. */
export async function writeScaleDocs(figures: ScaleFigures): Promise<void> {
  await writeFigures('bench.md', 'scale.ts', sectionOf(figures))
  const bound = { value: 1_000 / figures.mainMs, name: 'the main thread alone' }
  await writeFile(new URL('scale.svg', docs), linesPlot(plotLines(figures.curves), plotLabels, bound))
}
