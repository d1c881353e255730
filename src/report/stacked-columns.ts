import type { FrameOptions } from './frame.ts'
import { framed, nameText, place, textWidth } from './frame.ts'
import { html, type Markup } from './markup.ts'
import { toneOf } from './tone.ts'

export interface StackedColumnsOptions extends FrameOptions {
  /** Where each column begins and ends. */
  readonly columns: readonly (readonly [from: number, until: number])[]
  /** From the bottom up; as many values as there are columns. */
  readonly layers: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Counts of several kinds over time, on top of each other, named in their order at the right. */
export function stackedColumns(options: StackedColumnsOptions): Markup {
  const { columns, layers } = options
  const nameWidth = 30 + Math.max(0, ...layers.map(({ name }) => textWidth(nameText(name))))
  return framed(options, nameWidth, plot => {
    const bases = columns.map(() => 0)
    const drawn = layers.map(({ values }, nth) => {
      const path = columns.map(([from, until], column) => {
        const value = values[column] ?? 0
        const base = bases[column] ?? 0
        bases[column] = base + value
        if (value === 0) return ''
        const [left, right] = [plot.x(from), plot.x(until)]
        const gap = right - left > 4 ? 1 : 0
        return `M${left} ${plot.y(base)}V${plot.y(base + value)}H${place(right - gap)}V${plot.y(base)}Z`
      })
      return html`<path class="fill ${toneOf(nth)}" d="${path.join('')}"/>`
    })
    const key = [...layers].reverse().map(({ name }, row) => {
      const tone = toneOf(layers.length - 1 - row)
      const y = plot.top + 10 + row * 18
      return html`<rect class="fill ${tone}" x="${plot.right + 10}" y="${y - 9}" width="10" height="10"/><text class="name ${tone}" x="${plot.right + 26}" y="${y}"><title>${name}</title>${nameText(name)}</text>`
    })
    return html`${drawn}${key}`
  })
}
