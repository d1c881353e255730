import { codesOfName, isNameAt } from './name-codes.ts'
import type { PageView } from './page-view.ts'

/**
 * Which elements hold nothing but text up to their end tag, as htmlparser2's Tokenizer tells: by the first letter, and
 * then by the others, each for itself. So `<tmp>` is one, too, and `</xmp>` ends it.
 */
interface RawText {
  /** Letters behind the first. */
  readonly rest: string
  readonly codes: Uint8Array
  /** What ends the text where white space or ">" follows. */
  readonly end: string
}

/** The text of a title is searched for it in a way of its own. */
export const titleEnd = '</title'

const [s, t, x] = [115, 116, 120]

/** By how long the rest of the name is. */
const byLength = (...list: readonly Omit<RawText, 'codes'>[]): readonly (RawText | undefined)[] =>
  Array.from({ length: 8 }, (_, length) => {
    const text = list.find(({ rest }) => rest.length === length)
    return text === undefined ? undefined : { ...text, codes: codesOfName(text.rest) }
  })
const behindS = byLength({ rest: 'cript', end: '</script' }, { rest: 'tyle', end: '</style' })
const behindT = byLength(
  { rest: 'itle', end: titleEnd },
  { rest: 'extarea', end: '</textarea' },
  { rest: 'mp', end: '</xmp' },
)

function rawTextsBehind(letter: number): typeof behindS | null {
  const lower = letter | 32
  if (lower === s) return behindS
  return lower === t || lower === x ? behindT : null
}

/** What ends the text of an element that has the name from `start` to `end`; null: its content is more than text. */
export function rawEndOf(codes: Uint8Array, start: number, end: number): string | null {
  const texts = rawTextsBehind(codes[start] ?? 0)
  if (texts === null || end - start > texts.length) return null
  const text = texts[end - start - 1]
  return text !== undefined && isNameAt(text.codes, codes, start + 1, end - start - 1) ? text.end : null
}

/** Whether all from `start` on may be the beginning of such a name. */
export function isRawBeginning(page: PageView, start: number): boolean {
  const texts = rawTextsBehind(page.codes[start] ?? 0)
  if (texts === null || page.length - start > texts.length) return false
  const written = page.slice(start + 1, page.length).toLowerCase()
  return texts.some(text => text?.rest.startsWith(written))
}
