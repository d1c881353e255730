import { type Fault, faultAt, faultOf, toFault } from '../core/errors.ts'
import { isSitemapPage } from '../core/task.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import { type DecodedText, decodeText } from '../decode/charset.ts'
import { decodeContent } from '../decode/content-coding.ts'
import { documentFault } from '../decode/document-type.ts'
import { openGzipFile } from '../decode/gzip-file.ts'
import { type Engine, readRequestOf } from '../extract/engine.ts'
import { metaRefreshOf } from '../extract/meta-refresh.ts'
import type { PageFacts } from '../extract/page-facts.ts'
import { type PageRule, startPageRule } from '../extract/page-rule.ts'
import { planOf } from '../extract/plan.ts'
import { createStreamEngine } from '../extract/stream/stream-engine.ts'
import { createTreeEngine } from '../extract/tree-engine.ts'
import type { BlockSignRule } from '../job/job.ts'
import { registrableDomain } from '../scope/registrable-domain.ts'
import type { ArchiveRules } from '../warc/page-records.ts'
import { type AuditRules, createAudit } from './audit.ts'
import { createBlockSigns } from './block-signs.ts'
import { createFilledCount } from './filled.ts'
import { handOver, type OutputRules } from './hand-over.ts'
import { judgeItems } from './judge-items.ts'
import { createLinkRouter, type LinkRules } from './link-router.ts'
import { createHeed, type WordRules } from './page-words.ts'
import { createSitemapStage, type SitemapRule } from './sitemap-stage.ts'

/** What the stage needs of a job; plain data that crosses to workers once. */
export interface StageRules extends OutputRules, AuditRules, Omit<LinkRules, 'pages'>, WordRules {
  /** What messages call the job. */
  readonly writtenIn?: string
  /** Bound of one decoded body. */
  readonly bodyBytes: number
  /** Whether pages that send their reader elsewhere are redirects. Default: false. */
  readonly metaRefresh?: boolean
  /** How pages are archived beside their items. Default: they are not. */
  readonly archive?: ArchiveRules
  /** What shows that a page is none. Default: nothing. */
  readonly blockSigns?: readonly BlockSignRule[]
  /** What is wanted of sitemaps, by the name of their tasks. Default: no task is one. */
  readonly sitemaps?: readonly SitemapRule[]
}

/** The parse stage: a body as it came off the wire becomes output and links. Workers and the inline parser run it. */
export interface Stage {
  /** Never throws: what is wrong with a page is a fault in the reply. */
  run(request: ParseRequest): ParseReply
}

type Parsed = Omit<Extract<ParseReply, { kind: 'parsed' }>, 'cpuMs'>
type Faulted = Omit<Extract<ParseReply, { kind: 'faulted' }>, 'cpuMs'>
type Extracted = Omit<Parsed, 'charset' | 'decodedBytes'>

/**
 * @param cpuMs CPU time that this thread has used so far
 * @throws CONFIG_INVALID a URL pattern of the rules is malformed
 */
export function createStage(rules: StageRules, cpuMs: () => number): Stage {
  const pages = [startPageRule, ...rules.pages]
  const engines = new Map(pages.map(rule => [rule.name, engineFor(rule)]))
  const filledOf = new Map(pages.map(rule => [rule.name, createFilledCount(rule)]))
  const severalItems = new Set(pages.filter(({ items }) => items !== undefined).map(({ name }) => name))
  const linkRouter = createLinkRouter(rules)
  const signOf = createBlockSigns(rules.blockSigns ?? [], engineFor)
  const audits = createAudit(rules, engineFor, cpuMs)
  const heed = createHeed(rules, linkRouter.routes)
  const readSitemap = createSitemapStage(rules.sitemaps ?? [], linkRouter.routes, registrableDomain)
  /** Of the page that is in hand: one at a time, from its first line to its last. */
  const spent = { startMs: 0, decodeMs: 0, serialiseMs: 0 }
  const grind = (request: ParseRequest): Parsed | Faulted => {
    if (isSitemapPage(request.page)) return sitemapOf(request)
    const engine = engines.get(request.page)
    if (engine === undefined) return unread(faultOf('INVARIANT', `no page rule is called "${request.page}"`), request)
    const sent = decodeContent(request.body, request.contentCoding, rules.bodyBytes)
    if (sent.kind === 'faulted') return unread(sent.fault, request)
    const decoded = openGzipFile(sent.bytes, rules.bodyBytes)
    if (decoded.kind === 'faulted') return unread(decoded.fault, request)
    const fault = documentFault(request.contentType, decoded.bytes)
    if (fault !== null) return unread(fault, request)
    const page = decodeText(decoded.bytes, request.contentType)
    spent.decodeMs = cpuMs() - spent.startMs
    const { charset } = page
    const read = { engine: engine.name, charset, decodedBytes: decoded.bytes.byteLength }
    const blocked = signOf(page, request.finalUrl)
    if (blocked !== null) return { ...nothing(), blocked, ...read }
    const refresh = rules.metaRefresh === true ? metaRefreshOf(page.text, request.finalUrl) : null
    if (refresh !== null) return { ...nothing(), refresh, ...read }
    const reply = extracted(engine, page, request)
    if (reply.kind === 'parsed') return heed({ ...reply, ...read }, page, request)
    // What the page says of its links holds for them as well.
    return { ...reply, ...linksOf(heed({ ...nothing(), ...read, ...linksOf(reply) }, page, request)) }
  }
  const sitemapOf = (request: ParseRequest): Parsed | Faulted => {
    const reply = readSitemap(request)
    if (reply.kind === 'faulted') return reply
    const { kind: _, refused, ...read } = reply
    return { ...nothing(), ...read, engine: 'stream', ...(refused.length > 0 && { refused }) }
  }
  const extracted = (engine: Engine, page: DecodedText, request: ParseRequest): Extracted | Faulted => {
    const wantLinks = linkRouter.wantsLinksAt(request.depth)
    const asked = readRequestOf(page, { url: request.finalUrl, wantLinks, facts: factsOfRequest(request) })
    const reading = engine.read(asked)
    const audit = audits.of(asked, request.page, request.askedUrl, reading)
    const { kept: items, refused, fault } = judgeItems(reading, severalItems.has(request.page), request)
    const routed = linkRouter.route(reading.links, reading.baseUrl, request.finalUrl, request.page)
    const filled = filledOf.get(request.page)?.(reading) ?? null
    const noted = { ...(audit !== null && { audit }), ...(filled !== null && { filled }) }
    if (fault !== null) return { ...faulted(fault), ...routed, ...noted }
    const readMs = cpuMs()
    const handed = handOver(items, request, rules, page)
    spent.serialiseMs = cpuMs() - readMs
    return {
      kind: 'parsed',
      ...handed,
      ...routed,
      engine: engine.name,
      ...(refused.length > 0 && { refused }),
      ...noted,
      ...(reading.brokenBlocks !== undefined && { brokenBlocks: reading.brokenBlocks }),
    }
  }
  return {
    run(request) {
      const startMs = cpuMs()
      Object.assign(spent, { startMs, decodeMs: 0, serialiseMs: 0 })
      let reply: Parsed | Faulted
      try {
        reply = grind(request)
      } catch (thrown) {
        reply = unread(toFault(thrown, 'PARSE_FAILED'), request)
      }
      const { decodeMs, serialiseMs } = spent
      return { ...reply, cpuMs: cpuMs() - startMs, times: { decodeMs, serialiseMs } }
    },
  }
}

/** What fields may say of a page without looking into it. */
function factsOfRequest(request: ParseRequest): PageFacts {
  const { askedUrl, finalUrl, page, fetchedAt, depth, status = null, headers = {}, meta = null } = request
  return { askedUrl, finalUrl, page, fetchedAt, depth, status, headers, meta }
}

/** Memory of its own: the output is moved to another thread. */
const nothing = () => ({ kind: 'parsed', output: new Uint8Array(0), items: [], itemCount: 0, links: [] }) as const

export const engineFor = (rule: PageRule): Engine =>
  planOf(rule).engine === 'stream' ? createStreamEngine(rule) : createTreeEngine(rule)

const linksOf = ({ links = [], unrouted }: Pick<Faulted, 'links' | 'unrouted'>) => ({
  links,
  ...(unrouted !== undefined && { unrouted }),
})

const faulted = (fault: Fault): Faulted => ({ kind: 'faulted', fault })

/** What is wrong with a body is known where nobody knows whose it is. */
const unread = (fault: Fault, { finalUrl }: ParseRequest): Faulted => faulted(faultAt(finalUrl, fault))
