import { lateLibrary } from '../../core/late-library.ts'
import type { DomDocument, DomElement, DomNode } from './dom-nodes.ts'
import type { XPathLibrary } from './xpath-contract.ts'

/**
 * The libraries behind structured fields. Each is loaded when the first field of a job asks for it, and never otherwise:
 * they take 10 to 100 ms to load, in every worker thread, and most jobs need none of them. Fields are made ready
 * synchronously, hence `require`. Chosen for being kept up, without `eval` and without install scripts:
 *
 * - `json-p3`: JSONPath of RFC 9535 by one of the authors of its compliance suite. It checks types when a path is read,
 *   so that mistakes are told before the first page, and gives what `..` finds in the order of the document.
 * - `xpath`: XPath 1.0, the one of Scrapy, over any tree that looks like a DOM. `fontoxpath` has XPath 3.1, in which much of
 *   what is written for Scrapy is an error (`contains(//p, 'x')` where there are two), and sorts siblings by counting them.
 * - `@mozilla/readability`: the reader view of Firefox.
 * - `linkedom`: the DOM that Readability needs. `domino` lacks parts that it calls, `jsdom` is ten times as much.
 * - `turndown`: Markdown out of a DOM, so the same one serves. `node-html-markdown` is quadratic in blocks and links.
 */

/** Readability's answer, its content as an element since the serialiser that it is given leaves it one. */
export interface ReaderView {
  readonly content?: DomElement | null
  readonly textContent?: string | null
  readonly title?: string | null
  readonly byline?: string | null
  readonly excerpt?: string | null
  readonly siteName?: string | null
  readonly lang?: string | null
  readonly publishedTime?: string | null
}

export interface MarkdownRule {
  readonly filter: string | readonly string[] | ((node: DomNode) => boolean)
  /** @param content what is in the node, as Markdown */
  replacement(content: string, node: DomNode): string
}

export interface MarkdownService {
  turndown(element: DomElement): string
  addRule(name: string, rule: MarkdownRule): void
  remove(filter: (node: DomNode) => boolean): void
}

interface ReadabilityLibrary {
  readonly Readability: new (
    document: DomDocument,
    options: { readonly serializer: (content: DomElement) => DomElement },
  ) => { parse(): ReaderView | null }
}

interface DomLibrary {
  readonly DOMParser: new () => { parseFromString(html: string, type: 'text/html'): DomDocument }
}

// Typed here: their own types speak of a browser, which would then be taken for granted everywhere.
export const jsonPathLibrary = lateLibrary<typeof import('json-p3')>('json-p3')
export const xpathLibrary = lateLibrary<XPathLibrary>('xpath')
export const readabilityLibrary = lateLibrary<ReadabilityLibrary>('@mozilla/readability')
export const domLibrary = lateLibrary<DomLibrary>('linkedom')
export const markdownLibrary =
  lateLibrary<new (options: Readonly<Record<string, string>>) => MarkdownService>('turndown')
