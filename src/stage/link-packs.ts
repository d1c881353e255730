import type { Link, LinkPack } from '../core/wire.ts'

/**
 * A sitemap of 50,000 URLs, or a page of as many links, would hold the main thread for a tenth of a second and more:
 * merely to receive so many objects takes as long. So the first are sent as they are, and the others as bytes, which
 * cost nothing until they are read, a pack at a time.
 */
export interface PackedLinks {
  readonly links: readonly Link[]
  readonly moreLinks?: readonly LinkPack[]
}

/** One pack is read and queued within few milliseconds, on a busy machine too. */
export const linksPerPack = 200

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function packLinks(links: readonly Link[]): PackedLinks {
  if (links.length <= linksPerPack) return { links }
  const moreLinks: LinkPack[] = []
  for (let at = linksPerPack; at < links.length; at += linksPerPack) {
    const pack = links.slice(at, at + linksPerPack)
    moreLinks.push({ count: pack.length, bytes: encoder.encode(JSON.stringify(pack)) })
  }
  return { links: links.slice(0, linksPerPack), moreLinks }
}

const unpackLinks = ({ bytes }: LinkPack): readonly Link[] => JSON.parse(decoder.decode(bytes))

export const linkCountOf = ({ links, moreLinks = [] }: PackedLinks): number =>
  moreLinks.reduce((sum, { count }) => sum + count, links.length)

/** All of them, some hundred at a time, of links that were packed and of such that were not. */
export function* slicesOf({ links, moreLinks = [] }: PackedLinks): Generator<readonly Link[]> {
  for (let at = 0; at < links.length; at += linksPerPack) yield links.slice(at, at + linksPerPack)
  for (const pack of moreLinks) yield unpackLinks(pack)
}
