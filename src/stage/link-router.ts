import { startPage } from '../core/task.ts'
import { urlKey } from '../core/url.ts'
import type { Link } from '../core/wire.ts'
import { type FoundLink, resolveLinks } from '../extract/links.ts'
import { createRoutes } from '../scope/routes.ts'
import type { ScopeRules } from '../scope/rules.ts'

/** Which of the links of a page are work: in scope, and of a kind that a page rule reads. */
export interface LinkRouter {
  /** Links of pages at the greatest depth lead too far. */
  wantsLinksAt(depth: number): boolean
  /** Each page once, in the order of the links. */
  route(links: readonly FoundLink[], baseUrl: string, pageUrl: string): Link[]
}

/** The part of a job that links are judged by. */
export interface LinkRules {
  readonly pages: readonly { readonly name: string; readonly match: string | null }[]
  readonly scope: ScopeRules
  /** Host keys of the seeds. */
  readonly seedHosts: readonly string[]
}

/** @throws CONFIG_INVALID a URL pattern of the rules is malformed */
export function createLinkRouter(rules: LinkRules): LinkRouter {
  const { maxDepth } = rules.scope
  // The start page's rule would fit every URL, and no link leads to it.
  const pages = rules.pages.filter(({ name }) => name !== startPage)
  const routes = createRoutes(pages, rules.scope, rules.seedHosts)
  return {
    wantsLinksAt: depth => maxDepth === null || depth < maxDepth,
    route(links, baseUrl, pageUrl) {
      const routed = new Map<string, Link>()
      const from = new URL(pageUrl)
      for (const url of resolveLinks(links, baseUrl).urls) {
        const key = urlKey(url)
        if (routed.has(key) || routes.judge(url, from) === 'out') continue
        const page = routes.pageOf(url)
        if (page !== null) routed.set(key, { url: url.href, key, page })
      }
      return [...routed.values()]
    },
  }
}
