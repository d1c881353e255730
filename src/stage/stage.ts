import { type Fault, faultOf, toFault } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import { decodeText } from '../decode/charset.ts'
import { decodeContent } from '../decode/content-coding.ts'
import { documentFault } from '../decode/document-type.ts'
import type { Engine } from '../extract/engine.ts'
import { metaRefreshOf } from '../extract/meta-refresh.ts'
import { type PageRule, startPageRule } from '../extract/page-rule.ts'
import { planOf } from '../extract/plan.ts'
import { createStreamEngine } from '../extract/stream/stream-engine.ts'
import { createTreeEngine } from '../extract/tree-engine.ts'
import type { ScopeRules } from '../scope/rules.ts'
import { detached, itemLines, withOrigin } from './item-lines.ts'
import { createLinkRouter } from './link-router.ts'

/** What the stage needs of a job; plain data that crosses to workers once. */
export interface StageRules {
  readonly pages: readonly PageRule[]
  readonly scope: ScopeRules
  /** Host keys of the seeds. */
  readonly seedHosts: readonly string[]
  /** Bound of one decoded body. */
  readonly bodyBytes: number
  /** Whether pages that send their reader elsewhere are redirects. Default: false. */
  readonly metaRefresh?: boolean
}

/** The parse stage: a body as it came off the wire becomes output and links. Workers and the inline parser run it. */
export interface Stage {
  /** Never throws: what is wrong with a page is a fault in the reply. */
  run(request: ParseRequest): ParseReply
}

type Parsed = Omit<Extract<ParseReply, { kind: 'parsed' }>, 'cpuMs'>
type Faulted = Omit<Extract<ParseReply, { kind: 'faulted' }>, 'cpuMs'>

/**
 * @param cpuMs CPU time that this thread has used so far
 * @throws CONFIG_INVALID a URL pattern of the rules is malformed
 */
export function createStage(rules: StageRules, cpuMs: () => number): Stage {
  const pages = [startPageRule, ...rules.pages]
  const engines = new Map(pages.map(rule => [rule.name, engineFor(rule)]))
  const linkRouter = createLinkRouter(rules)
  const grind = (request: ParseRequest): Parsed | Faulted => {
    const engine = engines.get(request.page)
    if (engine === undefined) return faulted(faultOf('INVARIANT', `no page rule is called "${request.page}"`))
    const decoded = decodeContent(request.body, request.contentCoding, rules.bodyBytes)
    if (decoded.kind === 'faulted') return decoded
    const fault = documentFault(request.contentType, decoded.bytes)
    if (fault !== null) return faulted(fault)
    const { text, charset } = decodeText(decoded.bytes, request.contentType)
    const refresh = rules.metaRefresh === true ? metaRefreshOf(text, request.finalUrl) : null
    if (refresh !== null)
      return { ...nothing(), refresh, engine: engine.name, charset, decodedBytes: decoded.bytes.byteLength }
    return { ...extracted(engine, text, request), charset, decodedBytes: decoded.bytes.byteLength }
  }
  const extracted = (engine: Engine, html: string, request: ParseRequest): Omit<Parsed, 'charset' | 'decodedBytes'> => {
    const wantLinks = linkRouter.wantsLinksAt(request.depth)
    const { item, links, baseUrl } = engine.read({ html, url: request.finalUrl, wantLinks })
    const items = item === null ? [] : [withOrigin(item, request)]
    return {
      kind: 'parsed',
      output: itemLines(request.want === 'bytes' ? items : []),
      items: request.want === 'objects' ? detached(items) : [],
      itemCount: items.length,
      links: linkRouter.route(links, baseUrl, request.finalUrl),
      engine: engine.name,
    }
  }
  return {
    run(request) {
      const startMs = cpuMs()
      let reply: Parsed | Faulted
      try {
        reply = grind(request)
      } catch (thrown) {
        const { code, message } = toFault(thrown, 'PARSE_FAILED')
        reply = faulted(faultOf(code, `${request.finalUrl}: ${message}`))
      }
      return { ...reply, cpuMs: cpuMs() - startMs }
    },
  }
}

/** Memory of its own: the output is moved to another thread. */
const nothing = () => ({ kind: 'parsed', output: new Uint8Array(0), items: [], itemCount: 0, links: [] }) as const

export const engineFor = (rule: PageRule): Engine =>
  planOf(rule).engine === 'stream' ? createStreamEngine(rule) : createTreeEngine(rule)

const faulted = (fault: Fault): Faulted => ({ kind: 'faulted', fault })
