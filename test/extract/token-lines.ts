import { Tokenizer } from 'htmlparser2'
import { createPageViews } from '../../src/extract/stream/page-view.ts'
import { createScanner } from '../../src/extract/stream/scanner.ts'

/** The tokens of a page, a line each, by our scanner and by htmlparser2's Tokenizer. */
export type TokensOf = (html: string, stopBehindTags?: number) => readonly string[]

/** @param stopBehindTags after so many tokens of tags, reading stops while the next one is told */
export const tokensOfScanner: TokensOf = (html, stopBehindTags = -1) => {
  const lines: string[] = []
  let tags = 0
  const told = (line: string): void => {
    lines.push(line)
    if (tags === stopBehindTags) scanner.stop()
    tags += 1
  }
  const scanner = createScanner({
    text: (start, end, isCut) => lines.push(`text ${start} ${end} ${isCut}`),
    tagNamed(start, end) {
      told(`tag ${start} ${end}`)
      return true
    },
    attribute: (...places) => lines.push(`attribute ${places.join(' ')}`),
    tagEnded: (end, isSelfClosing) => told(`end of tag ${end} ${isSelfClosing}`),
    endTag: (_, start, end) => told(`end tag ${start} ${end}`),
    note: (kind, start, end) => lines.push(`${kind} ${start} ${end}`),
  })
  scanner.read(createPageViews().ofText(html))
  return lines
}

export const tokensOfTokenizer: TokensOf = (html, stopBehindTags = -1) => {
  const lines: string[] = []
  let tags = 0
  let isFinishing = false
  let name = ''
  let value = '0 0'
  const told = (line: string): void => {
    lines.push(line)
    if (tags === stopBehindTags) tokenizer.pause()
    tags += 1
  }
  const note = (kind: string) => (start: number, end: number, endingLength: number) =>
    lines.push(`${kind} ${start} ${Math.max(start, end - endingLength)}`)
  const ignore = (): void => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      // Of what the page's end cuts off behind a slash, it tells no beginning; its Parser takes the last character.
      ontext: (start, end) => lines.push(`text ${start < 0 ? html.length - 1 : start} ${end} ${isFinishing}`),
      onopentagname: (start, end) => told(`tag ${start} ${end}`),
      onattribname(start, end) {
        name = `${start} ${end}`
        value = '0 0'
      },
      onattribdata(start, end) {
        value = `${start} ${end}`
      },
      onattribend: how => lines.push(`attribute ${name} ${value} ${how}`),
      onopentagend: at => told(`end of tag ${at + 1} false`),
      onselfclosingtag: at => told(`end of tag ${at + 1} true`),
      onclosetag: (start, end) => told(`end tag ${start} ${end}`),
      oncomment: note('comment'),
      oncdata: note('cdata'),
      ondeclaration: (start, end) => lines.push(`declaration ${start} ${end}`),
      onprocessinginstruction: (start, end) => lines.push(`instruction ${start} ${end}`),
      onattribentity: ignore,
      ontextentity: ignore,
      onend: ignore,
    },
  )
  if (html !== '') tokenizer.write(html)
  isFinishing = true
  tokenizer.end()
  return lines
}
