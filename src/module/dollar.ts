import type { CheerioAPI } from 'cheerio'
import { load } from 'cheerio/slim'
import type { AnyNode, Document } from 'domhandler'
import { cheerioHtmlOf, parseCheerioDocument } from '../extract/dom/cheerio-document.ts'
import type { PageRule } from '../extract/page-rule.ts'

/** A `$` over one page, until disposed. */
export interface Dollar extends Disposable {
  readonly $: CheerioAPI
}

/** Lends a `$` for each page. */
export type Dollars = (html: string) => Dollar

interface Loaded {
  readonly $: CheerioAPI
  /** What `$` looks at, for as long as it lives. */
  readonly root: Document
}

/** Trees of both parsers as the HTML standard writes them: what `cheerio.load` gives, and never deeper than a stack. */
const render = (nodes: AnyNode | ArrayLike<AnyNode>): string =>
  'length' in nodes ? Array.from(nodes, cheerioHtmlOf).join('') : cheerioHtmlOf(nodes)

/** The slim cheerio, which brings neither parse5 nor a client: the trees are ours, so it needs no parser for pages. */
function make(): Loaded {
  const $ = load('', { xml: { xmlMode: false } })
  Object.assign($.fn, { _render: render })
  return { $, root: $.root()[0] as Document }
}

function fill(root: Document, children: Document['children']): void {
  root.children = children
  for (const child of children) child.parent = root
}

/**
 * One `$` that moves from page to page. `cheerio.load` makes a class each time, and V8 keeps the shape of its
 * instances in the old generation, which leads through prototype and closure to the page's root: every tree stays
 * alive until a full collection, minor ones copy it again and again, and that costs 2.4 times the whole parse. So the
 * root stays, and the trees are hung below it and taken off again. Several are kept only where several pages are read
 * at once, which a thread of the pool never does.
 */
export function createDollars(parser: PageRule['parser']): Dollars {
  const free: Loaded[] = []
  return html => {
    const loaded = free.pop() ?? make()
    fill(loaded.root, parseCheerioDocument[parser](html).children)
    return {
      $: loaded.$,
      [Symbol.dispose]() {
        loaded.root.children = []
        free.push(loaded)
      },
    }
  }
}
