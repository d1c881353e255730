import { readFile, writeFile } from 'node:fs/promises'

const docs = new URL('../docs/', import.meta.url)

/** Puts what a bench found into a page of docs/, between the marks that name the bench; the rest of it stays. */
export async function writeFigures(page: string, bench: string, figures: string): Promise<void> {
  const target = new URL(page, docs)
  const text = await readFile(target, 'utf8')
  const [begin, end] = [`<!-- figures: written by bench/${bench} -->`, '<!-- /figures -->']
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`docs/${page} has no ${begin} with an ${end} behind it`)
  await writeFile(target, `${text.slice(0, from)}${begin}\n\n${figures}\n\n${text.slice(to)}`)
}

/** A table in Markdown: so many columns of words, and after them those of figures. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], words = 1): string {
  const rule = head.map((_, nth) => (nth < words ? '---' : '---:'))
  return [head, rule, ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

export function figureText(value: number): string {
  if (!Number.isFinite(value)) return 'never'
  return String(value >= 100 ? Math.round(value) : Math.round(value * 100) / 100)
}

/** Where a figure should be; infinite where it has no bound. */
export type Range = readonly [low: number, high: number]

export const isWithin = (value: number, [low, high]: Range): boolean => value >= low && value <= high

export function rangeText([low, high]: Range, show = figureText): string {
  if (low === Number.NEGATIVE_INFINITY) return `≤ ${show(high)}`
  return high === Number.POSITIVE_INFINITY ? `≥ ${show(low)}` : `${show(low)} to ${show(high)}`
}

/** Bold where a bound is missed. */
export const markedText = (text: string, holds: boolean): string => (holds ? text : `**${text}**`)
