import { countText } from '../core/count-text.ts'

/** What a page, a server or a file may have put into a text must not steer the terminal: control and bidi marks go. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')

/** JSON may say anything in its strings: what would steer the terminal is escaped, and the JSON stays what it was. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const isTerminal = (): boolean => process.stderr.isTTY === true && process.env.TERM !== 'dumb'

const useColour = (): boolean => isTerminal() && process.env.NO_COLOR === undefined

const paint =
  (code: number) =>
  (text: string): string =>
    useColour() ? `\u001b[${code}m${text}\u001b[0m` : text

export const bold = paint(1)
export const dim = paint(2)
export const red = paint(31)

/** Results and tables: what a pipe wants. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`)
/** Progress, warnings and errors: what a person wants. */
export const tell = (text: string): void => void process.stderr.write(`${text}\n`)

/** `1 page`, `2 pages`. */
export const counted = (value: number, noun: string): string => `${countText(value)} ${noun}${value === 1 ? '' : 's'}`

export function duration(durationMs: number): string {
  const seconds = durationMs / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  return minutes < 120
    ? `${minutes} min ${Math.round(seconds) % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  if (value < 1_000_000) return `${(value / 1000).toFixed(0)} kB`
  return value < 1e9 ? `${(value / 1e6).toFixed(1)} MB` : `${(value / 1e9).toFixed(2)} GB`
}
