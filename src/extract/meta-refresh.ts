import { Parser } from 'htmlparser2'
import { sendableUrl } from '../core/url.ts'

/** A page that shows for longer is meant to be read, such as a notice with a countdown. */
const longestDelaySeconds = 5

/** Refreshes stand in the head. What is as long as this is a page. */
const readCharacters = 100_000
const pieceCharacters = 4_096

/**
 * The value of a refresh, by the HTML standard ("shared declarative refresh steps"): a delay, and most often where to.
 * Null: no redirect, but a page that reloads itself, or one that stays for a while.
 */
function targetOf(content: string, pageUrl: string): string | null {
  const [, seconds, rest] = /^(\d+)[\d.]*(?:\s*[;,]\s*|\s+|$)(.*)$/s.exec(content.trim()) ?? []
  if (seconds === undefined || rest === undefined || Number(seconds) > longestDelaySeconds) return null
  const written = rest.replace(/^url\s*=\s*/i, '')
  const quoted = /^(["'])(.*?)(?:\1|$)/s.exec(written)?.[2]
  const url = sendableUrl(quoted ?? written, pageUrl)
  return url === null || url.href === sendableUrl(pageUrl)?.href ? null : url.href
}

/** Where a page sends its reader at once (`<meta http-equiv="refresh">`); null when it is there to be read. */
export function metaRefreshOf(html: string, pageUrl: string): string | null {
  let target: string | null = null
  let isOver = false
  /** Inside of what only shows without scripts, as most pages suppose them. */
  let hidden = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'noscript' || name === 'template') hidden += 1
      if (name === 'body') isOver = true
      if (name !== 'meta' || hidden > 0 || isOver || target !== null) return
      if (attributes['http-equiv']?.trim().toLowerCase() !== 'refresh') return
      target = targetOf(attributes.content ?? '', pageUrl)
    },
    onclosetag(name) {
      if (name === 'noscript' || name === 'template') hidden -= 1
    },
  })
  for (let at = 0; at < Math.min(html.length, readCharacters) && !isOver && target === null; at += pieceCharacters)
    parser.write(html.slice(at, at + pieceCharacters))
  return target
}
