import { Parser } from 'htmlparser2'

/** One URL that a sitemap names, as it stands there. */
export interface SitemapEntry {
  readonly url: string
  /** As it stands there; null: it says nothing. */
  readonly changed: string | null
  /** It is a sitemap itself. */
  readonly isSitemap: boolean
}

export interface SitemapReading {
  /** `none`: it is no sitemap in any of its forms. */
  readonly form: 'urls' | 'index' | 'feed' | 'lines' | 'robots' | 'none'
  /** False: its end is missing; what stood before that was told. */
  readonly isWhole: boolean
}

/**
 * Takes one entry after the other; false: enough of them.
 */
export type TakeEntry = (entry: SitemapEntry) => boolean

/** Pieces that are handed to the parser: what is enough is noticed within one. */
const pieceCharacters = 65_536
/** No address is longer. More is kept of no value, whatever a file says. */
const longestValue = 8_192

/** `news:publication` is of a namespace of its own, and only the names of the format itself count. */
interface Name {
  readonly prefix: string
  readonly local: string
}

function nameOf(tag: string): Name {
  const colon = tag.indexOf(':')
  return colon === -1 ? { prefix: '', local: tag } : { prefix: tag.slice(0, colon), local: tag.slice(colon + 1) }
}

const forms: Readonly<Record<string, SitemapReading['form']>> = {
  urlset: 'urls',
  sitemapindex: 'index',
  rss: 'feed',
  RDF: 'feed',
  feed: 'feed',
}
const entries: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry'])
const addresses: ReadonlySet<string> = new Set(['loc', 'link'])
/** `dc:date` is how RSS 1.0 says it, hence any prefix. */
const dates: ReadonlySet<string> = new Set(['lastmod', 'updated', 'pubDate', 'date', 'published'])

interface OpenEntry {
  readonly name: Name
  readonly depth: number
  url: string
  changed: string
}

/**
 * Reads a sitemap (sitemaps.org: `urlset`, `sitemapindex`, lines of URLs), a feed (RSS, Atom), or the `Sitemap` lines of a
 * robots file: told apart by what they are, since their names and types tell little.
 *
 * XML is read tag by tag. Nothing is made of a document type: entities that a file declares stay as they are written, so
 * none is expanded and none is fetched. What is broken is read as far as it goes: an entry counts once its end has come.
 */
export function readSitemap(text: string, isRobotsFile: boolean, take: TakeEntry): SitemapReading {
  if (isRobotsFile) return readLines(text, take, /^[\t ]*sitemap[\t ]*:[\t ]*(\S+)/i)
  return /^\s*</.test(text) ? readXml(text, take) : readLines(text, take, null)
}

function readLines(text: string, take: TakeEntry, form: RegExp | null): SitemapReading {
  let found = 0
  let at = 0
  while (at < text.length) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed
    const line = text.slice(at, Math.min(end, at + longestValue))
    at = end + 1
    const url = form === null ? line.trim() : (form.exec(line)?.[1] ?? '')
    if (form === null && !/^https?:\/\//i.test(url)) continue
    if (url === '') continue
    found += 1
    if (!take({ url, changed: null, isSitemap: form !== null })) break
  }
  if (form !== null) return { form: 'robots', isWhole: true }
  return { form: found === 0 ? 'none' : 'lines', isWhole: true }
}

function readXml(text: string, take: TakeEntry): SitemapReading {
  let form: SitemapReading['form'] | null = null
  let isWhole = false
  let isEnough = false
  let depth = 0
  let entry: OpenEntry | null = null
  /** What the text that comes belongs to. */
  let reading: 'url' | 'changed' | null = null
  let value = ''

  function end(): void {
    const ended = entry
    entry = null
    reading = null
    if (ended === null || ended.url.trim() === '' || isEnough || form === 'none') return
    const changed = ended.changed.trim()
    isEnough = !take({
      url: ended.url.trim(),
      changed: changed === '' ? null : changed,
      isSitemap: ended.name.local === 'sitemap',
    })
  }

  function open(tag: string, attributes: Readonly<Record<string, string>>): void {
    depth += 1
    const name = nameOf(tag)
    if (depth === 1) form = forms[name.local] ?? 'none'
    else if (entries.has(name.local) && (entry === null || name.prefix === entry.name.prefix)) {
      // One that was never closed ends where the next begins.
      end()
      entry = { name, depth, url: '', changed: '' }
    } else if (entry !== null && depth === entry.depth + 1) begin(entry, name, attributes)
  }

  function begin(into: OpenEntry, { prefix, local }: Name, { href, rel }: Readonly<Record<string, string>>): void {
    value = ''
    reading = null
    if (dates.has(local)) reading = 'changed'
    else if (!addresses.has(local) || prefix !== into.name.prefix) return
    // Atom has it in an attribute, and several of them.
    else if (href === undefined) reading = 'url'
    else if (into.url === '' && (rel === undefined || rel === 'alternate')) into.url = href.slice(0, longestValue)
  }

  function close(isImplied: boolean): void {
    if (entry !== null && depth === entry.depth + 1 && reading !== null) {
      if (entry[reading] === '') entry[reading] = value
      reading = null
    }
    if (entry !== null && depth === entry.depth) {
      if (isImplied) entry = null
      else end()
    }
    if (depth === 1 && !isImplied) isWhole = true
    depth -= 1
  }

  const parser = new Parser(
    {
      onopentag: open,
      onclosetag: (_, isImplied) => close(isImplied),
      ontext(piece) {
        if (reading !== null && value.length < longestValue) value += piece
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < text.length && !isEnough && form !== 'none'; at += pieceCharacters)
    parser.write(text.slice(at, at + pieceCharacters))
  if (!isEnough) parser.end()
  return { form: form ?? 'none', isWhole: isWhole || isEnough }
}
