import { writeFile } from 'node:fs/promises'
import { manyText } from '../src/report/figure-text.ts'
import { tableOf, writeFigures } from './docs-figures.ts'
import { machine } from './machine.ts'
import type { Curve } from './scale-curve.ts'
import { type Line, linesPlot } from './scale-plot.ts'
import { type StageTimesCost, stageTimesMs } from './scale-stage-times.ts'

export interface ScaleFigures {
  readonly spineMs: number
  readonly mainMs: number
  readonly hosts: number
  readonly pages: number
  readonly curves: readonly Curve[]
  readonly stageTimes: StageTimesCost
  /** Of a real page, all threads together. */
  readonly pageCpuMs: number
}

const docs = new URL('../docs/', import.meta.url)
const round = (value: number, digits = 0): string => value.toFixed(digits)

export const plotLines = (curves: readonly Curve[]): readonly Line[] =>
  curves.map(({ parseMs, points }) => ({
    name: `${parseMs} ms a page`,
    points: points.map(({ threads, pagesPerSecond }) => [threads, pagesPerSecond] as const),
  }))

export const plotLabels = { x: 'threads', y: 'pages a second' }

function table({ curves }: ScaleFigures): string {
  const most = curves[0]?.points.at(-1)?.threads ?? 0
  const head = [
    'a page costs a thread',
    'main thread full (99 %) with',
    'by cost',
    `${most} threads`,
    'main thread',
    'threads',
  ]
  const rows = curves.map(({ parseMs, byCost, fullAt, points }) => {
    const last = points.at(-1)
    return [
      `${parseMs} ms`,
      fullAt === null ? `not within ${most} threads` : manyText(fullAt, 'thread'),
      `${round(byCost, 1)} threads`,
      `${round(last?.pagesPerSecond ?? 0)} pages/s`,
      `${round(100 * (last?.mainBusy ?? 0))} % busy`,
      `${round(100 * (last?.workersBusy ?? 0))} % busy`,
    ]
  })
  return tableOf(head, rows)
}

function stageTimesText({ stageTimes, pageCpuMs }: ScaleFigures): string {
  const us = (ms: number): string => `${round(ms * 1_000, 1)} µs`
  const wholeMs = stageTimesMs(stageTimes)
  return [
    `Of what a page costs all threads together, ${round(pageCpuMs, 2)} ms of CPU, knowing where its time goes takes`,
    `${round((100 * wholeMs) / pageCpuMs, 2)} % (${us(wholeMs)}; the bound is 2 %): ${us(stageTimes.eventsMs)} for events and those who listen,`,
    `${us(stageTimes.causesMs)} for what hosts wait for, ${us(stageTimes.clocksMs)} for clocks, in the main thread and in those that parse.`,
  ].join('\n')
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
    '',
    stageTimesText(figures),
  ].join('\n')
}

/** Puts the figures into docs/bench.md, and the plot beside it. */
export async function writeScaleDocs(figures: ScaleFigures): Promise<void> {
  await writeFigures('bench.md', 'scale.ts', sectionOf(figures))
  const bound = { value: 1_000 / figures.mainMs, name: 'the main thread alone' }
  await writeFile(new URL('scale.svg', docs), linesPlot(plotLines(figures.curves), plotLabels, bound))
}
