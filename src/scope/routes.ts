import { createRouter } from './router.ts'
import type { ScopeRules } from './rules.ts'
import { createScope } from './scope.ts'
import { createUrlKey, defaultUrlRules, type UrlRules } from './url-key.ts'

/** Where URLs may lead: judged by scope, routed to page rules and keyed; the same in workers and on the main thread. */
export interface Routes {
  /** @param from where it was found: a link or a redirect may always stay on the host (or domain) it comes from */
  judge(url: URL, from: URL): 'in' | 'out'
  /** Name of the page rule, null when none fits. */
  pageOf(url: URL): string | null
  /** True for a rule that names the URLs it is for. */
  isMatched(page: string): boolean
  /** What two spellings of one page have in common. */
  keyOf(url: URL): string
  /** Of the URLs of a page rule; 0 where it says nothing. */
  priorityOf(page: string): number
}

/** What URLs are routed by. */
export interface RoutedPage {
  readonly name: string
  readonly match: string | null
  readonly priority?: number
}

/** @throws CONFIG_INVALID a pattern is malformed */
export function createRoutes(
  pages: readonly RoutedPage[],
  rules: ScopeRules,
  seedHosts: readonly string[],
  urls: UrlRules = defaultUrlRules,
): Routes {
  const matched = new Set(pages.filter(({ match }) => match !== null).map(({ name }) => name))
  const priorities = new Map(pages.map(({ name, priority = 0 }) => [name, priority]))
  return {
    judge: createScope(rules, seedHosts).judge,
    pageOf: createRouter(pages).pageOf,
    isMatched: page => matched.has(page),
    keyOf: createUrlKey(urls),
    priorityOf: page => priorities.get(page) ?? 0,
  }
}
