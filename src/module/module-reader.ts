import { type Fault, faultAt, faultOf, MillraceError } from '../core/errors.ts'
import type { Item, ParseReply, ParseRequest } from '../core/wire.ts'
import { type DecodedText, decodeText } from '../decode/charset.ts'
import { decodeContent } from '../decode/content-coding.ts'
import { contentTypeOf } from '../decode/content-type.ts'
import { documentFault } from '../decode/document-type.ts'
import { openGzipFile } from '../decode/gzip-file.ts'
import { binaryKindOf } from '../decode/magic-number.ts'
import type { FoundLink } from '../extract/links.ts'
import { metaRefreshOf } from '../extract/meta-refresh.ts'
import { createBlockSigns } from '../stage/block-signs.ts'
import { handOver } from '../stage/hand-over.ts'
import { withOrigin } from '../stage/item-lines.ts'
import type { LinkRouter } from '../stage/link-router.ts'
import { createHeed } from '../stage/page-words.ts'
import { engineFor, type StageRules } from '../stage/stage.ts'
import { createPage, type OpenPage } from './create-page.ts'
import { createDollars } from './dollar.ts'
import { loadModule } from './load-module.ts'
import type { ModulePage } from './module-page.ts'
import { type Given, givenBy } from './module-result.ts'
import type { ModuleRule } from './module-rules.ts'
import { plainItem } from './plain.ts'
import { userErrorText } from './user-error.ts'

/** Calls the user's code; what it throws beside the call (in a timer, in a promise nobody awaits) goes to `onStray`. */
export type Guard = <T>(call: () => T, onStray: (thrown: unknown) => void) => T

type Parsed = Omit<Extract<ParseReply, { kind: 'parsed' }>, 'cpuMs'>
type Faulted = Omit<Extract<ParseReply, { kind: 'faulted' }>, 'cpuMs'>

/** Reads pages with the module of one page rule. Never rejects: what is wrong with a page is a fault in the reply. */
export type ModuleReader = (request: ParseRequest) => Promise<Parsed | Faulted>

export interface ModuleReaderOptions {
  readonly rule: ModuleRule
  readonly rules: StageRules
  readonly links: LinkRouter
  readonly guard: Guard
}

/** JSON and other texts are pages too where a module reads them. */
const isText = (essence: string): boolean =>
  essence.startsWith('text/') || /^application\/(?:[\w.-]+\+)?(?:json|javascript|ld\+json|x-ndjson)$/.test(essence)

function typeFault(contentType: string, bytes: Uint8Array): Fault | null {
  const fault = documentFault(contentType, bytes)
  if (fault === null) return null
  return binaryKindOf(bytes) === null && isText(contentTypeOf(contentType).essence) ? null : fault
}

/** @throws CONFIG_INVALID the module cannot be loaded, or exports no `parse` */
export async function createModuleReader(options: ModuleReaderOptions): Promise<ModuleReader> {
  const { rule, rules, links, guard } = options
  const parse = await loadModule(rule.module, rule.name, rules.writtenIn)
  const dollars = createDollars(rule.parser)
  const signOf = createBlockSigns(rules.blockSigns ?? [], engineFor)
  const heed = createHeed(rules, links.routes)
  const follow = rule.follow.length === 0 ? null : engineFor({ ...rule, item: null })

  /** The first of what the call gives, what it throws, and what is thrown beside it; the rest comes too late. */
  const call = (page: ModulePage): Promise<unknown> =>
    new Promise((resolve, reject) => {
      guard(async () => await parse(page), reject).then(resolve, reject)
    })

  function followed(request: ParseRequest, html: string): readonly FoundLink[] {
    return follow?.read({ html, url: request.finalUrl, wantLinks: true }).links ?? []
  }

  function seal(request: ParseRequest, { items, links: given }: Given, open: OpenPage, decoded: DecodedText) {
    const plain: Item[] = []
    const refused: Fault[] = []
    for (const [index, item] of items.entries())
      try {
        plain.push(withOrigin(plainItem(item, index), request))
      } catch (thrown) {
        refused.push(faultOn(request, thrownFault(thrown)))
      }
    const found = links.wantsLinksAt(request.depth)
      ? [...given.map(value => ({ value, isNofollow: false })), ...followed(request, open.page.text)]
      : []
    return {
      ...handOver(plain, request, rules, decoded),
      ...(found.length === 0 ? { links: [] } : links.route(found, open.baseUrl(), request.finalUrl, request.page)),
      ...(refused.length > 0 && { refused }),
    }
  }

  return async request => {
    try {
      const sent = decodeContent(request.body, request.contentCoding, rules.bodyBytes)
      if (sent.kind === 'faulted') return unread(sent.fault, request)
      const decoded = openGzipFile(sent.bytes, rules.bodyBytes)
      if (decoded.kind === 'faulted') return unread(decoded.fault, request)
      const fault = typeFault(request.contentType, decoded.bytes)
      if (fault !== null) return unread(fault, request)
      const decodedText = decodeText(decoded.bytes, request.contentType)
      // Before the user's code sees the bytes.
      const { text, charset } = decodedText
      const blocked = signOf(decodedText, request.finalUrl)
      const refresh = rules.metaRefresh === true ? metaRefreshOf(text, request.finalUrl) : null
      using open = createPage(request, text, dollars)
      // A page that sends its reader elsewhere is no page of the module's, and neither is one that says "not you".
      const given = refresh === null && blocked === null ? givenBy(await call(open.page)) : { items: [], links: [] }
      const sealed = seal(request, given, open, decodedText)
      const reply: Parsed = {
        ...(refresh !== null && { refresh }),
        ...(blocked !== null && { blocked }),
        kind: 'parsed',
        ...sealed,
        charset,
        engine: 'module',
        decodedBytes: decoded.bytes.byteLength,
      }
      return heed(reply, { text }, request)
    } catch (thrown) {
      return unread(thrownFault(thrown), request)
    }
  }
}

/** What the user's code threw, with its place in that code. */
const thrownFault = (thrown: unknown): Fault =>
  thrown instanceof MillraceError
    ? faultOf(thrown.code, thrown.message)
    : faultOf('PARSE_FAILED', userErrorText(thrown))

const faultOn = ({ finalUrl, page }: ParseRequest, fault: Fault): Fault => faultAt(`${finalUrl} (page ${page})`, fault)

const unread = (fault: Fault, request: ParseRequest): Faulted => ({ kind: 'faulted', fault: faultOn(request, fault) })
