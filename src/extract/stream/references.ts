import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/**
 * Character references ("&amp;") of a piece of the page, decoded when the piece is wanted. The page itself is read
 * without decoding: then text and attributes that nobody asks for are skipped instead of being looked at letter by
 * letter. No reference reaches over the end of a piece, and where one ends does not depend on what follows the piece,
 * so decoding it alone gives what the tree would have. It is done by the tokenizer that makes the tree.
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

function decoded(markup: string, what: 'text' | 'attribute'): string {
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
  tokenizer.write(markup)
  tokenizer.end()
  return text
}

export const decodeText = (text: string): string => (text.includes('&') ? decoded(text, 'text') : text)

/** In a title, "&" is overlooked right behind what might have begun its end tag ("<&amp;"). */
export const decodeTitle = (text: string): string => (text.includes('&') ? decoded(`<title>${text}`, 'text') : text)

/** Put back between its quotes, of which it has none inside. */
export function decodeAttribute(value: string, quote: QuoteType): string {
  if (!value.includes('&')) return value
  const mark = quote === QuoteType.Double ? '"' : quote === QuoteType.Single ? "'" : ''
  return decoded(`<a b=${mark}${value}${mark}>`, 'attribute')
}
