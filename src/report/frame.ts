import type { Axis } from './axis.ts'
import { type Content, html, type Markup } from './markup.ts'

/** What every plot has around it. */
export interface FrameOptions {
  /** Names the plot in its document, where no two have the same. */
  readonly id: string
  readonly title: string
  /** What a reader who does not see it is told. */
  readonly summary: string
  readonly x: Axis
  readonly y: Axis
  /**
   * Names of lines stand beside a plot that is as large as one without any, in a drawing that is so much wider: where both
   * are drawn on one scale, one value of x is in one place. Otherwise they take their room from the plot.
   */
  readonly hasNamesBeside?: boolean
}

/** Where things lie in it, in the units of the drawing. */
export interface Plot {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const drawingWidth = 660
/** A drawing that has its names beside it. */
export const widerWidth = 860
const height = 240
const margin = { top: 26, right: 16, bottom: 42, left: 54 } as const

/** A tenth of a unit is not seen. */
export const place = (value: number): number => Math.round(value * 10) / 10

/**
 * A plot with its axes: ruled where values are named and nowhere else, units at the axes, a title and a text for those
 * who hear it.
 *
 * @param nameWidth room that the names of lines need at the right
 */
export function framed(options: FrameOptions, nameWidth: number, draw: (plot: Plot) => Content): Markup {
  const { id, title, summary, x, y, hasNamesBeside = false } = options
  const width = hasNamesBeside ? widerWidth : drawingWidth
  const [left, right] = [margin.left, drawingWidth - margin.right - (hasNamesBeside ? 0 : nameWidth)]
  const [top, bottom] = [margin.top, height - margin.bottom]
  const plot: Plot = {
    x: value => place(left + x.at(value) * (right - left)),
    y: value => place(bottom - y.at(value) * (bottom - top)),
    left,
    right,
    top,
    bottom,
  }
  const rules = y.ticks.map(({ value, text }) => {
    const at = plot.y(value)
    return html`<line class="${at === bottom ? 'base' : 'rule'}" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/><text class="tick" x="${left - 8}" y="${at + 4}" text-anchor="end">${text}</text>`
  })
  const marks = x.ticks.map(({ value, text }) => {
    const at = plot.x(value)
    return html`<line class="base" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}"/><text class="tick" x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>`
  })
  return html`<figure class="${hasNamesBeside ? 'plot beside' : 'plot'}"><figcaption>${title}</figcaption><div class="wide" role="region" tabindex="0" aria-labelledby="${id}-title"><svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-summary"><title id="${id}-title">${title}</title><desc id="${id}-summary">${summary}</desc>${rules}${marks}<text class="unit" x="0" y="12">${y.title}</text><text class="unit" x="${right}" y="${height - 6}" text-anchor="end">${x.title}</text>${draw(plot)}</svg></div></figure>
`
}

/** Room that a bold text of 12 units takes, by what letters take in the usual fonts: never less. */
export const textWidth = (text: string): number =>
  [...text].reduce((width, letter) => width + (/[A-Z_0-9MWmw@%]/.test(letter) ? 9.2 : 7.2), 0)

/** With what stands before it, a name has as much room as a wider drawing has. */
const longestNameWidth = 170

/** A name that is no longer than there is room for. */
export function nameText(name: string): string {
  if (textWidth(name) <= longestNameWidth) return name
  let end = name.length - 1
  while (textWidth(`${name.slice(0, end)}…`) > longestNameWidth) end -= 1
  return `${name.slice(0, end)}…`
}

/** Places of names one below the other: as near to what they name as the height of a line allows. */
export function apart(wanted: readonly number[], { top, bottom }: Plot, gap = 14): number[] {
  const order = wanted.map((_, nth) => nth).sort((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0))
  const placed = [...wanted]
  let least = top
  for (const nth of order) {
    placed[nth] = Math.max(least, wanted[nth] ?? 0)
    least = placed[nth] + gap
  }
  let most = bottom + gap / 2
  for (const nth of order.reverse()) {
    placed[nth] = Math.min(most, placed[nth] ?? 0)
    most = placed[nth] - gap
  }
  return placed.map(place)
}
