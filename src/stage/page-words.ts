import { hash } from 'node:crypto'
import { sendableUrl } from '../core/url.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import type { PageSource } from '../extract/engine.ts'
import { headWordsOf } from '../extract/head-words.ts'
import { visibleTextOf } from '../extract/visible-text.ts'
import type { CrawlRules } from '../scope/crawl-rules.ts'
import type { Routes } from '../scope/routes.ts'
import { patternOf } from '../scope/trap.ts'

type Parsed = Omit<Extract<ParseReply, { kind: 'parsed' }>, 'cpuMs'>

/** What of a job says how the word of a page is taken. */
export interface WordRules extends Partial<Pick<CrawlRules, 'nofollow' | 'canonical' | 'sameContent' | 'traps'>> {
  /** The name by which robots files address us. */
  readonly robotsToken?: string | null
}

/** A page is what it gives, and what it says of itself: this adds the latter, and takes away what it asks not to be kept. */
export type Heed = <Reply extends Parsed>(reply: Reply, page: Pick<PageSource, 'text'>, request: ParseRequest) => Reply

/** Directives with a value, which a name of an agent would look like. */
const valued: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
])

/** Of an X-Robots-Tag, which may name agents: `noindex, otherbot: nofollow`. A name is for all that stands behind it. */
function directivesOf(header: string, token: string | null): readonly string[] {
  let isMeant = true
  return header
    .toLowerCase()
    .split(',')
    .flatMap(part => {
      const [, agent, rest = ''] = /^\s*([\w.-]+)\s*:(.*)$/s.exec(part) ?? []
      if (agent === undefined || valued.has(agent)) return isMeant ? [part] : []
      isMeant = agent === token?.toLowerCase()
      return isMeant ? [rest] : []
    })
}

/** Of a Link header (RFC 8288). */
function canonicalIn(header: string): string | null {
  for (const [, target, parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*"?[^",;]*\bcanonical\b/i.test(parameters)) return target ?? null
  return null
}

const has = (directives: readonly string[], ...names: readonly string[]): boolean =>
  directives.some(directive => directive.split(/[\s,]+/).some(word => names.includes(word)))

/** With less to read than that, pages that differ in their scripts or images would look alike. */
const leastCharacters = 256

const hashed = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** Pages of an endless row differ, if at all, long before this; to read what is behind it once more would take too long. */
const mostOfRow = 1_000_000

function spokenTextOf(html: string, most = Number.POSITIVE_INFINITY): string {
  const visible = visibleTextOf(html.length > most ? html.slice(0, most) : html)
  return visible.length < leastCharacters ? html : visible
}

/** What two pages that say the same have in common. */
const contentOf = (html: string): string => hashed(spokenTextOf(html))

/** What pages of an endless row have in common, whose numbers alone differ. */
const rowOf = (html: string): string => hashed(spokenTextOf(html, mostOfRow).replace(/\d+/g, ''))

export function createHeed(rules: WordRules, routes: Routes): Heed {
  const { nofollow = 'ignore', canonical = 'ignore', sameContent = 'keep', traps = null, robotsToken = null } = rules
  const wantsHead = nofollow === 'obey' || canonical !== 'ignore'

  /** Of another page than this one, where that may be asked for at all. */
  function canonicalOf(written: string | null, baseUrl: string, pageUrl: string): Parsed['canonical'] {
    const from = new URL(pageUrl)
    const url = written === null ? null : sendableUrl(written, baseUrl)
    if (url === null || routes.judge(url, from) === 'out') return undefined
    const key = routes.keyOf(url)
    return key === routes.keyOf(from) ? undefined : { url: url.href, key }
  }

  return (reply, page, request) => {
    const { finalUrl, headers = {} } = request
    const head = wantsHead ? headWordsOf(page.text, finalUrl, robotsToken) : null
    const directives =
      head === null || nofollow === 'ignore'
        ? []
        : [...head.robots, ...directivesOf(headers['x-robots-tag'] ?? '', robotsToken)]
    const other =
      head === null || canonical === 'ignore'
        ? undefined
        : canonicalOf(canonicalIn(headers.link ?? '') ?? head.canonical, head.baseUrl, finalUrl)
    const isInRow = traps !== null && patternOf(new URL(finalUrl)) !== null
    const isUnwanted = has(directives, 'noindex', 'none')
    return {
      ...reply,
      ...(has(directives, 'nofollow', 'none') && { links: [], unrouted: null }),
      ...(isUnwanted && { noindex: true, output: new Uint8Array(0), items: [], itemCount: 0 }),
      ...(other !== undefined && { canonical: other }),
      ...(sameContent === 'skip' && { content: contentOf(page.text) }),
      ...(isInRow && { row: rowOf(page.text) }),
    }
  }
}
