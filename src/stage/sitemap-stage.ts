import { type Fault, faultAt, faultOf } from '../core/errors.ts'
import { sitemapFileBytes } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { Link, ParseRequest, UnroutedLinks } from '../core/wire.ts'
import { beginningOf } from '../decode/beginning.ts'
import { decodeText } from '../decode/charset.ts'
import { decodeContent } from '../decode/content-coding.ts'
import { looksGzipped } from '../decode/gzip.ts'
import { readSitemap, type SitemapEntry } from '../extract/sitemap.ts'
import { mayHaveChangedSince } from '../scope/changed-since.ts'
import type { Routes } from '../scope/routes.ts'

/** What one seed wants of its sitemaps. */
export interface SitemapRule {
  /** Of their tasks: see `isSitemapPage`. */
  readonly name: string
  /** Entries that say that they have not changed since then are left out; null: none is. */
  readonly since: string | null
  /** The page rule that reads their URLs; null: the first that fits. */
  readonly page: string | null
}

export type SitemapReply =
  | {
      readonly kind: 'read'
      readonly links: readonly Link[]
      /** Left out: a page rule fits each that is in scope. */
      readonly unrouted?: UnroutedLinks
      readonly charset: string
      readonly decodedBytes: number
      /** What of it could not be had. */
      readonly refused: readonly Fault[]
    }
  | { readonly kind: 'faulted'; readonly fault: Fault }

/** Four times what sitemaps.org allows a file; a job's memory is bounded whatever a file says. */
const mostEntries = 200_000
/** The format allows an index to name no other index, and sites do. */
const mostNested = 5
/** Unpacked: a file that was made by somebody who counted the entries and not the bytes is still read. */
const decodedBytes = 2 * sitemapFileBytes

interface Content {
  readonly bytes: Uint8Array
  /** Why that is not all; null: it is. */
  readonly cut: Fault | null
}

/** What can be had of one coding: all, or the beginning where the rest is missing, broken or too much. */
function unpacked(body: Uint8Array, coding: string): Content | Fault {
  const decoded = decodeContent(body, coding, decodedBytes)
  if (decoded.kind === 'decoded') return { bytes: decoded.bytes, cut: null }
  const bytes = beginningOf(body, coding, sitemapFileBytes / 2)
  return bytes === null || bytes.byteLength === 0 ? decoded.fault : { bytes, cut: decoded.fault }
}

/** A `.gz` file, whatever its name and type say, which may come with a content coding on top. */
function contentOf({ body, contentCoding }: ParseRequest): Content | Fault {
  const sent = unpacked(body, contentCoding)
  if (!('bytes' in sent) || !looksGzipped(sent.bytes)) return sent
  const file = unpacked(sent.bytes, 'gzip')
  return 'bytes' in file ? { bytes: file.bytes, cut: sent.cut ?? file.cut } : file
}

/**
 * Reads sitemaps for the URLs that they name, which are judged, routed and keyed like the links of a page.
 * @param domainOf what somebody registered: an index may name files on other hosts of it
 */
export function createSitemapStage(
  rules: readonly SitemapRule[],
  routes: Routes,
  domainOf: (hostname: string) => string,
): (request: ParseRequest) => SitemapReply {
  const byName = new Map(rules.map(rule => [rule.name, rule]))

  return request => {
    const rule = byName.get(request.page)
    const from = new URL(request.finalUrl)
    const content = contentOf(request)
    if (!('bytes' in content)) return { kind: 'faulted', fault: faultAt(request.finalUrl, content) }
    const { text, charset } = decodeText(content.bytes, request.contentType)
    const isRobotsFile = new URL(request.askedUrl).pathname === '/robots.txt'
    const since = rule?.since ?? null
    const links = new Map<string, Link>()
    const unrouted = { count: 0, example: '' }
    let entries = 0

    /** A robots file may name sitemaps anywhere; an index its neighbours. */
    const mayBeSitemap = (url: URL): boolean =>
      isRobotsFile || routes.judge(url, from) === 'in' || domainOf(url.hostname) === domainOf(from.hostname)

    function pageOf(url: URL, isSitemap: boolean): string | null {
      if (isSitemap) return request.depth < mostNested && mayBeSitemap(url) ? request.page : null
      if (routes.judge(url, from) === 'out') return null
      const page = rule?.page ?? routes.pageOf(url)
      if (page === null) {
        if (unrouted.count === 0) unrouted.example = url.href
        unrouted.count += 1
      }
      return page
    }

    function take({ url: written, changed, isSitemap }: SitemapEntry): boolean {
      entries += 1
      if (entries > mostEntries) return false
      if (since !== null && !mayHaveChangedSince(changed, since)) return true
      const url = sendableUrl(written, request.finalUrl)
      const page = url === null ? null : pageOf(url, isSitemap)
      if (url === null || page === null) return true
      const key = routes.keyOf(url)
      const priority = routes.priorityOf(page)
      if (!links.has(key)) links.set(key, { url: url.href, key, page, ...(priority !== 0 && { priority }) })
      return true
    }

    const { form, isWhole } = readSitemap(text, isRobotsFile, take)
    if (form === 'none') {
      const message = 'this is no sitemap; accepted are XML by sitemaps.org, RSS, Atom, and a URL a line'
      const fault = content.cut ?? faultOf('CONTENT_TYPE', message)
      return { kind: 'faulted', fault: faultAt(request.finalUrl, fault) }
    }
    return {
      kind: 'read',
      links: [...links.values()],
      ...(unrouted.count > 0 && { unrouted }),
      charset,
      decodedBytes: content.bytes.byteLength,
      refused: lossesOf(content, entries, isWhole || form === 'robots', request.finalUrl),
    }
  }
}

function lossesOf({ cut }: Content, entries: number, isWhole: boolean, url: string): readonly Fault[] {
  const before = `${Math.min(entries, mostEntries)} entries before that count`
  if (cut !== null) return [faultOf(cut.code, `${url} could not be read to its end (${cut.message}); ${before}`)]
  if (entries > mostEntries)
    return [faultOf('BODY_TOO_LARGE', `${url} has more than ${mostEntries} entries; those beyond are left out`)]
  return isWhole ? [] : [faultOf('PARSE_FAILED', `${url} breaks off, its end is missing; ${before}`)]
}
