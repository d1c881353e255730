import { drawingWidth, place, textWidth } from './frame.ts'
import { html, type Markup } from './markup.ts'
import { toneOf } from './tone.ts'

export interface StackedRowsOptions {
  readonly id: string
  readonly title: string
  readonly summary: string
  /** What the lengths stand for, with the unit. */
  readonly unit: string
  readonly text: (value: number) => string
  readonly parts: readonly string[]
  /** As many values as there are parts. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[]
}

const rowHeight = 26
const rightMargin = 64

/** A whole and its parts, a row each, all on one scale. What is too narrow to be written on is in the text of its part. */
export function stackedRows({ id, title, summary, unit, text, parts, rows }: StackedRowsOptions): Markup {
  const left = Math.min(260, 12 + Math.max(0, ...rows.map(({ name }) => textWidth(name))))
  const top = parts.length > 0 ? 34 : 6
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const scale = (drawingWidth - left - rightMargin) / Math.max(1e-9, ...sums)
  const bars = rows.map(({ name, values }, row) => {
    const y = top + row * rowHeight
    let x: number = left
    const pieces = values.map((value, part) => {
      const [from, length] = [x, value * scale]
      x += length
      if (length < 0.3) return null
      return html`<rect class="fill ${toneOf(part)}" x="${place(from)}" y="${y}" width="${place(Math.max(0.4, length - 1))}" height="${rowHeight - 8}"><title>${parts[part] ?? ''}: ${text(value)}</title></rect>`
    })
    return html`<text class="tick" x="${left - 8}" y="${y + 13}" text-anchor="end">${name}</text>${pieces}<text class="tick" x="${place(x + 6)}" y="${y + 13}">${text(sums[row] ?? 0)}</text>`
  })
  let keyX = left
  const key = parts.map((name, part) => {
    const x = keyX
    keyX += 28 + textWidth(name)
    return html`<rect class="fill ${toneOf(part)}" x="${place(x)}" y="9" width="10" height="10"/><text class="name ${toneOf(part)}" x="${place(x + 15)}" y="18">${name}</text>`
  })
  const height = top + rows.length * rowHeight + 24
  return html`<figure class="plot"><figcaption>${title}</figcaption><div class="wide" role="region" tabindex="0" aria-labelledby="${id}-title"><svg viewBox="0 0 ${drawingWidth} ${height}" role="img" aria-labelledby="${id}-title ${id}-summary"><title id="${id}-title">${title}</title><desc id="${id}-summary">${summary}</desc>${key}${bars}<text class="unit" x="${left}" y="${height - 6}">${unit}</text></svg></div></figure>
`
}
