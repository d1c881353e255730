import type { ParseReply, ParseRequest } from '../../src/core/wire.ts'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import type { StageRules } from '../../src/stage/stage.ts'

/** Exactly its own memory, as a body off the wire. */
export const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content)

export const pageRule = (name: string, rule: { match?: string; item?: unknown; follow?: string[] } = {}): PageRule => ({
  name,
  match: rule.match ?? null,
  item: rule.item === undefined ? null : checkItem(rule.item, 'item'),
  follow: rule.follow ?? [],
  parser: 'fast',
})

export const stageRules = (pages: readonly PageRule[], more: Partial<StageRules> = {}): StageRules => ({
  pages,
  scope: { within: 'same-host', include: [], exclude: [], maxDepth: null },
  seedHosts: ['shop.test'],
  bodyBytes: 1_000_000,
  ...more,
})

export const parseRequest = (content: string | Uint8Array, more: Partial<ParseRequest> = {}): ParseRequest => ({
  body: bytesOf(content),
  contentCoding: '',
  contentType: 'text/html',
  askedUrl: 'http://shop.test/a',
  finalUrl: 'http://shop.test/a',
  page: 'product',
  depth: 0,
  fetchedAt: '2024-05-01T08:00:00.000Z',
  want: 'bytes',
  ...more,
})

/** The same for a parser whose items go to a reader, and to no file. */
export const readerRequest = (content: string | Uint8Array, more: Partial<ParseRequest> = {}): ParseRequest =>
  parseRequest(content, {
    contentType: 'text/html; charset=utf-8',
    askedUrl: 'http://a.test/x',
    finalUrl: 'http://a.test/x',
    page: 'page',
    fetchedAt: '2026-01-01T00:00:00.000Z',
    want: 'objects',
    ...more,
  })

export type Parsed = Extract<ParseReply, { kind: 'parsed' }>

export function parsed(reply: ParseReply): Parsed {
  if (reply.kind !== 'parsed') throw new Error(`${reply.fault.code}: ${reply.fault.message}`)
  return reply
}

export const linesOf = (reply: ParseReply): unknown[] =>
  new TextDecoder()
    .decode(parsed(reply).output)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
