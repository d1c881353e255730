import { Parser } from 'htmlparser2'

/** What is in these is not read by anybody. */
const hiding: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe'])

/** What a reader of a page sees as text, and its title, with single blanks: no tags, no attributes, no scripts. */
export function visibleTextOf(html: string): string {
  const pieces: string[] = []
  let hidden = 0
  const parser = new Parser({
    onopentagname(name) {
      if (hiding.has(name)) hidden += 1
    },
    onclosetag(name) {
      if (hiding.has(name)) hidden -= 1
    },
    ontext(text) {
      if (hidden === 0) pieces.push(text)
    },
  })
  parser.write(html)
  parser.end()
  return pieces.join(' ').replace(/\s+/g, ' ').trim()
}
