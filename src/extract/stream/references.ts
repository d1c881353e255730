import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type Quote, quote } from './scanner.ts'

/**
 * Character references ("&amp;") of a piece of the page, decoded when the piece is wanted. The page itself is read
 * without decoding: then text and attributes that nobody asks for are skipped instead of being looked at letter by
 * letter. No reference reaches over the end of a piece, and where one ends does not depend on what follows the piece,
 * so decoding it alone gives what a tree of htmlparser2 would have. Its Tokenizer does it, but for the few references that
 * real pages are full of.
 */

const ignore = (): void => {}
/** For a reader of pieces that looks at few of them. */
export const ignored: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
}

type Decode = (markup: string) => string

/** Used again: to make one costs more than most pieces do. */
function createDecode(what: 'text' | 'attribute'): Decode {
  let markup = ''
  let text = ''
  const addPiece = (start: number, end: number): void => {
    text += markup.slice(start, end)
  }
  const addReference = (codePoint: number): void => {
    text += String.fromCodePoint(codePoint)
  }
  const tokenizer = new Tokenizer(
    {},
    what === 'text'
      ? { ...ignored, ontext: addPiece, ontextentity: addReference }
      : { ...ignored, onattribdata: addPiece, onattribentity: addReference },
  )
  return piece => {
    markup = piece
    text = ''
    tokenizer.write(piece)
    tokenizer.end()
    // Or the page that the piece was cut from would stay in memory.
    tokenizer.reset()
    markup = ''
    return text
  }
}

const decodeAsText = createDecode('text')
/** Its own: htmlparser2's `reset` does not forget that a title has begun, so that later text would be read as one. */
const decodeAsTitle = createDecode('text')
const decodeAsAttribute = createDecode('attribute')

/** By their first letter: what most references of real pages are, and what means the same wherever it stands. */
const common: ReadonlyMap<number, readonly [name: string, meaning: string]> = new Map(
  (
    [
      ['amp;', '&'],
      ['nbsp;', '\u00a0'],
      ['quot;', '"'],
      ['lt;', '<'],
      ['gt;', '>'],
      ['#39;', "'"],
    ] as const
  ).map(reference => [reference[0].charCodeAt(0), reference]),
)

const isWordOrHash = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 35

/** What a reference means does not depend on what is before it: the common ones here, all from the first other one on there. */
function decoded(text: string, decodeOthers: Decode): string {
  let done = ''
  let from = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const code = text.charCodeAt(at + 1)
    const [name, meaning] = common.get(code) ?? ['', '']
    if (name !== '' && text.startsWith(name, at + 1)) {
      done += text.slice(from, at) + meaning
      from = at + 1 + name.length
    } else if (isWordOrHash(code)) return done + text.slice(from, at) + decodeOthers(text.slice(at))
  }
  return from === 0 ? text : done + text.slice(from)
}

export const decodeText = (text: string): string => decoded(text, decodeAsText)

/** In a title, "&" is overlooked right behind what might have begun its end tag ("<&amp;"). */
export const decodeTitle = (text: string): string => (text.includes('&') ? decodeAsTitle(`<title>${text}`) : text)

/** What others than the common ones mean depends on how the value is written; put back between its quotes, of which it has none inside. */
export function decodeAttribute(value: string, how: Quote): string {
  const mark = how === quote.double ? '"' : how === quote.single ? "'" : ''
  return decoded(value, rest => decodeAsAttribute(`<a b=${mark}${rest}${mark}>`))
}
