import { htmlText } from '../core/html-text.ts'

/** Text that is HTML or SVG already. Only `html` makes it. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | null | readonly Content[]

/** What no text of a page should do to the text around it: control characters, and marks that turn its direction. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

const escaped = (text: string): string => htmlText(text.toWellFormed().replace(steering, '\ufffd'))

function markupOf(content: Content): string {
  if (content === null) return ''
  if (typeof content === 'string') return escaped(content)
  if (typeof content === 'number') return String(content)
  return 'markup' in content ? content.markup : content.map(markupOf).join('')
}

/** A template of HTML or SVG: whatever is put into it is escaped, unless it is markup itself. */
export const html = (texts: TemplateStringsArray, ...contents: readonly Content[]): Markup => ({
  markup: texts.reduce((whole, text, nth) => whole + markupOf(contents[nth - 1] ?? null) + text),
})
