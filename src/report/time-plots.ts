import { countText } from '../core/count-text.ts'
import type { Report } from '../observe/report.ts'
import { type Axis, shareAxis, timeAxis, zeroAxis } from './axis.ts'
import { bytesText, durationText, percentText, plainText } from './figure-text.ts'
import type { FrameOptions } from './frame.ts'
import { type Line, lineChart } from './line-chart.ts'
import { html, type Markup } from './markup.ts'
import { stackedColumns } from './stacked-columns.ts'
import { refusedShares, type TimeSteps, timeStepsOf } from './time-steps.ts'

type Timed = Pick<Report, 'timeline' | 'durationMs' | 'hosts'>

/** What plots over time have in common: they lie below each other, so that one moment is in one place. */
interface Scene extends Timed {
  readonly steps: TimeSteps
  readonly x: Axis
  readonly hasNamesBeside: boolean
}

const hostsShown = 5

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0)
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: readonly number[]): number => sumOf(values) / Math.max(1, values.length)

/** What happened in a run, all over the same time. */
export function timePlots(run: Timed): readonly Markup[] {
  const { timeline, durationMs } = run
  const steps = timeStepsOf(timeline, durationMs)
  const scene: Scene = { ...run, steps, x: timeAxis(durationMs), hasNamesBeside: true }
  // In two columns: the second one alone has names, and is wider.
  const bare: Scene = { ...scene, hasNamesBeside: false }
  return [
    ratePlot(bare),
    parsePlot(scene),
    bytesPlot(bare),
    limitsPlot(scene),
    inFlightPlot(bare),
    errorsPlot(scene),
    refusedPlot(bare),
  ]
}

type Named = Pick<FrameOptions, 'id' | 'title' | 'summary' | 'x' | 'hasNamesBeside'>

const named = (
  { timeline, durationMs, x, hasNamesBeside }: Scene,
  id: string,
  title: string,
  summary: string,
): Named => ({
  id,
  title,
  summary: `${summary} Over ${durationText(durationMs)}, in steps of ${durationText(timeline.stepMs)}.`,
  x,
  hasNamesBeside,
})

function levelPlot(
  { steps }: Scene,
  options: Named,
  unit: string,
  lines: Readonly<Record<string, readonly number[]>>,
  text = plainText,
): Markup {
  const most = largest(Object.values(lines).flat())
  return lineChart({
    ...options,
    y: zeroAxis(unit, most, text),
    lines: Object.entries(lines).map(([name, values]) => ({ name, points: steps.points(values) })),
  })
}

function ratePlot(scene: Scene): Markup {
  const pages = scene.steps.perSecond(scene.timeline.pages)
  const summary = `${plainText(largest(pages))} pages a second at most.`
  return levelPlot(scene, named(scene, 'rate', 'Pages read', summary), 'pages a second', { pages })
}

function bytesPlot(scene: Scene): Markup {
  const bytes = scene.steps.perSecond(scene.timeline.bytesIn)
  const summary = `${bytesText(largest(bytes))} a second at most.`
  return levelPlot(scene, named(scene, 'bytes', 'Bytes received', summary), 'a second', { bytes }, bytesText)
}

function inFlightPlot(scene: Scene): Markup {
  const { inFlight } = scene.timeline
  const summary = `${plainText(meanOf(inFlight))} on average.`
  return levelPlot(scene, named(scene, 'in-flight', 'Requests in flight', summary), 'requests', { inFlight })
}

function parsePlot(scene: Scene): Markup {
  const { parseQueue, parsing } = scene.timeline
  const summary = `${plainText(meanOf(parseQueue))} waited for a thread and ${plainText(meanOf(parsing))} were parsed, on average.`
  return levelPlot(scene, named(scene, 'parse', 'Pages at the parse stage', summary), 'pages', {
    waiting: parseQueue,
    'being parsed': parsing,
  })
}

/** Stretches in which a limit went one way, as the corners of a line. */
function limitLine(
  { host, limit, limitChanges, droppedLimitChanges = 0 }: Report['hosts'][number],
  durationMs: number,
): Line {
  const [first] = limitChanges
  // Of what came before the changes that are kept nothing is known.
  const fromMs = first === undefined || droppedLimitChanges === 0 ? 0 : first.atMs
  const points: (readonly [number, number])[] = [[fromMs, first?.from ?? limit]]
  for (const { atMs, untilMs = atMs, from, to } of limitChanges)
    points.push([atMs, from], [Math.max(atMs, untilMs), to])
  return { name: host, points: [...points, [durationMs, limit]] }
}

function limitsPlot(scene: Scene): Markup {
  const { hosts, durationMs } = scene
  const lines = hosts.slice(0, hostsShown).map(host => limitLine(host, durationMs))
  const most = largest(lines.flatMap(({ points }) => points.map(([, limit]) => limit)))
  const title = hosts.length > hostsShown ? `Limits of the ${hostsShown} busiest hosts` : 'Limits of hosts'
  const ends = hosts.slice(0, hostsShown).map(({ host, limit }) => `${host} ended at ${plainText(limit)}.`)
  return lineChart({ ...named(scene, 'limits', title, ends.join(' ')), y: zeroAxis('requests at once', most), lines })
}

function refusedPlot(scene: Scene): Markup {
  const { timeline, steps } = scene
  const shares = refusedShares(timeline)
  const whole = sumOf(timeline.refused) / Math.max(1, sumOf(timeline.answers))
  const summary = `${percentText(whole)} of all answers had status 429, 503 or 403, or a block sign.`
  return lineChart({
    ...named(scene, 'refused', 'Answers that asked to wait or said no', summary),
    y: shareAxis('of the latest answers', largest(shares)),
    lines: [{ name: 'refused', points: steps.points(shares) }],
  })
}

function errorsPlot(scene: Scene): Markup {
  const { timeline, steps } = scene
  const title = 'Failed attempts, and pages that could not be read'
  const layers = Object.entries(timeline.errors).map(([name, counts]) => ({ name, values: steps.perSecond(counts) }))
  if (layers.length === 0)
    return html`<figure class="plot"><figcaption>${title}</figcaption><p class="note">None.</p></figure>
`
  const sums = steps.columns.map((_, step) => sumOf(layers.map(({ values }) => values[step] ?? 0)))
  const totals = Object.entries(timeline.errors).map(([code, counts]) => `${code}: ${countText(sumOf(counts))}.`)
  return stackedColumns({
    ...named(scene, 'errors', title, totals.join(' ')),
    y: zeroAxis('a second', largest(sums)),
    columns: steps.columns,
    layers,
  })
}
