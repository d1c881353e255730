import { Parser } from 'htmlparser2'
import { baseUrlOf } from './links.ts'

/** What the head of a page says about the page. */
export interface HeadWords {
  /** Of `<meta name="robots">` and of those that name our product, in lower case. */
  readonly robots: readonly string[]
  /** The first `<link rel="canonical">` as it stands there; null: there is none. */
  readonly canonical: string | null
  /** What it is relative to. */
  readonly baseUrl: string
}

/** All that stands in the head, which ends long before. */
const readCharacters = 200_000
const pieceCharacters = 4_096

/** @param token the name by which robots files address us; null: there is none */
export function headWordsOf(html: string, pageUrl: string, token: string | null): HeadWords {
  const robots: string[] = []
  let canonical: string | null = null
  let base: string | null = null
  let isOver = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isOver) return
      const { content, href } = attributes
      if (name === 'body') isOver = true
      else if (name === 'base') base ??= href ?? null
      else if (name === 'meta' && content !== undefined) {
        const to = attributes.name?.trim().toLowerCase()
        if (to === 'robots' || (to !== undefined && to === token?.toLowerCase())) robots.push(content.toLowerCase())
      } else if (name === 'link' && href !== undefined)
        if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? '')) canonical ??= href
    },
    onclosetag(name) {
      if (name === 'head') isOver = true
    },
  })
  for (let at = 0; at < Math.min(html.length, readCharacters) && !isOver; at += pieceCharacters)
    parser.write(html.slice(at, at + pieceCharacters))
  return { robots, canonical, baseUrl: baseUrlOf(base, pageUrl) }
}
