import { createRouter } from './router.ts'
import type { ScopeRules } from './rules.ts'
import { createScope } from './scope.ts'

/** Where URLs may lead: judged by scope and routed to page rules; the same in workers and on the main thread. */
export interface Routes {
  /** @param from where it was found: a link or a redirect may always stay on the host (or domain) it comes from */
  judge(url: URL, from: URL): 'in' | 'out'
  /** Name of the page rule, null when none fits. */
  pageOf(url: URL): string | null
  /** True for a rule that names the URLs it is for. */
  isMatched(page: string): boolean
}

/** @throws CONFIG_INVALID a pattern is malformed */
export function createRoutes(
  pages: readonly { readonly name: string; readonly match: string | null }[],
  rules: ScopeRules,
  seedHosts: readonly string[],
): Routes {
  const matched = new Set(pages.filter(({ match }) => match !== null).map(({ name }) => name))
  return {
    judge: createScope(rules, seedHosts).judge,
    pageOf: createRouter(pages).pageOf,
    isMatched: page => matched.has(page),
  }
}
