import { apart, type FrameOptions, framed, nameText, type Plot, place, textWidth } from './frame.ts'
import { html, type Markup } from './markup.ts'
import { toneOf } from './tone.ts'

export interface Line {
  readonly name: string
  /** In the order of their first value. */
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Few points that were measured one by one: each is marked. */
  readonly isMarked?: boolean
  /** Marks alone: what lies between them was not measured. */
  readonly isLoose?: boolean
  /** Steps: a value holds until the next one. */
  readonly isStepped?: boolean
}

export interface LineChartOptions extends FrameOptions {
  readonly lines: readonly Line[]
  /** Values that the lines are to be compared with. */
  readonly bounds?: readonly { readonly value: number; readonly name: string }[]
}

/** None where there is one line alone: the title names it. */
const nameWidthOf = (names: readonly string[]): number =>
  names.length < 2 ? 0 : 14 + Math.max(...names.map(textWidth))

function pathOf({ points, isStepped }: Line, plot: Plot): string {
  let previous: number | null = null
  let path = ''
  for (const [x, y] of points) {
    const [atX, atY] = [plot.x(x), plot.y(y)]
    if (previous === null) path += `M${atX} ${atY}`
    else path += isStepped ? `H${atX}V${atY}` : `L${atX} ${atY}`
    previous = atY
  }
  return path
}

function drawLine(line: Line, nth: number, plot: Plot): Markup {
  const tone = toneOf(nth)
  const marks =
    line.isMarked === true || line.isLoose === true
      ? line.points.map(
          ([x, y]) =>
            html`<circle class="mark ${tone}" cx="${plot.x(x)}" cy="${plot.y(y)}" r="${line.isLoose === true ? 4.5 : 3.5}"/>`,
        )
      : null
  const path = line.isLoose === true ? null : html`<path class="line ${tone}" d="${pathOf(line, plot)}"/>`
  return html`${path}${marks}`
}

/** Lines over a common axis, each named at its end: the eye need not go to a legend and back. */
export function lineChart(options: LineChartOptions): Markup {
  const lines = options.lines.filter(({ points }) => points.length > 0)
  const names = lines.map(({ name }) => nameText(name))
  return framed(options, nameWidthOf(names), plot => {
    const ends = apart(
      lines.map(({ points }) => plot.y(points.at(-1)?.[1] ?? 0) + 4),
      plot,
    )
    const bounds = (options.bounds ?? []).map(({ value, name }) => {
      const at = plot.y(value)
      return html`<line class="bound" x1="${plot.left}" x2="${plot.right}" y1="${at}" y2="${at}"/><text class="note" x="${plot.left + 6}" y="${place(at - 5)}">${name}</text>`
    })
    const drawn = lines.map((line, nth) => drawLine(line, nth, plot))
    const labels =
      lines.length < 2
        ? null
        : lines.map(
            ({ name }, nth) =>
              html`<text class="name ${toneOf(nth)}" x="${plot.right + 10}" y="${ends[nth] ?? 0}"><title>${name}</title>${names[nth] ?? ''}</text>`,
          )
    return html`${bounds}${drawn}${labels}`
  })
}
