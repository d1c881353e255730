import { htmlText } from '../core/html-text.ts'

/** Text that is HTML already, as opposed to text that still has to be escaped. */
export interface Html {
  readonly html: string
}

export type Part = Html | string | number | null | readonly Part[]

export const raw = (text: string): Html => ({ html: text })

function render(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string') return htmlText(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(render).join('')
}

/** A template whose values are escaped unless they are HTML themselves; lists are joined, null is nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  raw(strings.reduce((text, string, index) => text + render(parts[index - 1] ?? null) + string))

const named: Readonly<Record<string, string>> = {
  é: 'eacute',
  ü: 'uuml',
  '½': 'frac12',
  '¼': 'frac14',
  '×': 'times',
  '—': 'mdash',
  '’': 'rsquo',
  '°': 'deg',
}

/** The same text with every character beyond ASCII as a reference: by name, in decimals, or in hexadecimals. */
export const withReferences = (text: string): Html =>
  raw(
    htmlText(text).replace(/[^\x20-\x7e]/gu, character => {
      const point = character.codePointAt(0) ?? 0
      const name = named[character]
      if (name !== undefined) return `&${name};`
      return point % 2 === 0 ? `&#${point};` : `&#x${point.toString(16)};`
    }),
  )

/**
 * JSON that may stand inside a script element: no `<` can end it. Where the page's charset lacks characters,
 * `asciiOnly` writes them as JSON escapes, since references mean nothing inside a script.
 */
export function jsonForScript(value: unknown, asciiOnly: boolean): Html {
  const escaped = asciiOnly ? /[<\u0080-\uffff]/g : /[<\u2028\u2029]/g
  const hex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return raw(JSON.stringify(value).replace(escaped, hex))
}
