import { startPage } from '../core/task.ts'
import type { Link, UnroutedLinks } from '../core/wire.ts'
import { type FoundLink, resolveLinks } from '../extract/links.ts'
import type { FollowRule, PageRule } from '../extract/page-rule.ts'
import type { CrawlRules } from '../scope/crawl-rules.ts'
import { compilePattern, type UrlTest } from '../scope/pattern.ts'
import { createRoutes, type RoutedPage, type Routes } from '../scope/routes.ts'
import type { ScopeRules } from '../scope/rules.ts'

export interface RoutedLinks {
  readonly links: readonly Link[]
  /** In scope, and of no kind that a page rule reads; left out: none is. */
  readonly unrouted?: UnroutedLinks
}

/** Which of the links of a page are work: in scope, and of a kind that a page rule reads. */
export interface LinkRouter {
  readonly routes: Routes
  /** Links of pages at the greatest depth lead too far. */
  wantsLinksAt(depth: number): boolean
  /**
   * Each page once: those whose page rule a field names, then the others, in the order of the links.
   * @param page the rule of the page that they are on
   */
  route(links: readonly FoundLink[], baseUrl: string, pageUrl: string, page: string): RoutedLinks
}

/** The part of a job that links are judged by. */
export interface LinkRules extends Partial<Pick<CrawlRules, 'urls' | 'nofollow'>> {
  readonly pages: readonly (RoutedPage & Partial<Pick<PageRule, 'follow' | 'followRules'>>)[]
  readonly scope: ScopeRules
  /** Host keys of the seeds. */
  readonly seedHosts: readonly string[]
}

/** Links that are wanted for the same. */
interface Wish {
  readonly links: readonly FoundLink[]
  readonly fits: UrlTest
  readonly pageOf: (url: URL) => string | null
  readonly priority: number | null
}

interface CompiledFollow {
  readonly rule: FollowRule
  readonly fits: UrlTest
  /** Of a field, that says what reads them. */
  readonly isNamedField: boolean
}

const anyUrl: UrlTest = () => true

const byRule = (links: readonly FoundLink[]): Iterable<readonly FoundLink[]> =>
  Map.groupBy(links, ({ rule }) => rule).values()

/** @throws CONFIG_INVALID a URL pattern of the rules is malformed */
export function createLinkRouter(rules: LinkRules): LinkRouter {
  const { maxDepth } = rules.scope
  // The start page's rule would fit every URL, and no link leads to it.
  const pages = rules.pages.filter(({ name }) => name !== startPage)
  const routes = createRoutes(pages, rules.scope, rules.seedHosts, rules.urls)
  const compileFollow = (page: string, nth: number, rule: FollowRule, selectors: number): CompiledFollow => ({
    rule,
    isNamedField: nth >= selectors && rule.page !== null,
    fits: rule.match === null ? anyUrl : compilePattern(rule.match, `${page}.follow[${nth}].match`),
  })
  const follows = new Map(
    pages.map(({ name, follow = [], followRules = [] }) => [
      name,
      followRules.map((rule, nth) => compileFollow(name, nth, rule, follow.length)),
    ]),
  )

  /** Of one field or selector. */
  function wishOf(links: readonly FoundLink[], follow: CompiledFollow | undefined): Wish {
    const named = follow?.rule.page ?? links[0]?.page ?? null
    return {
      links,
      fits: follow?.fits ?? anyUrl,
      pageOf: named === null ? routes.pageOf : () => named,
      priority: follow?.rule.priority ?? null,
    }
  }

  function wishesOf(links: readonly FoundLink[], page: string): readonly Wish[] {
    const own = follows.get(page) ?? []
    const followOf = ({ rule }: FoundLink): CompiledFollow | undefined => own[rule ?? -1]
    const isNamed = (link: FoundLink): boolean => link.page !== undefined || followOf(link)?.isNamedField === true
    const { named = [], others = [] } = Object.groupBy(links, link => (isNamed(link) ? 'named' : 'others'))
    // What a field says is known better than what patterns say.
    const groups = [...Map.groupBy(named, ({ page, rule }) => page ?? rule).values(), ...byRule(others)]
    return groups.map(found => wishOf(found, own[found[0]?.rule ?? -1]))
  }

  return {
    routes,
    wantsLinksAt: depth => maxDepth === null || depth < maxDepth,
    route(links, baseUrl, pageUrl, page) {
      const routed = new Map<string, Link>()
      const unrouted = new Map<string, URL>()
      const from = new URL(pageUrl)
      const wanted = rules.nofollow === 'obey' ? links.filter(({ isNofollow }) => !isNofollow) : links
      for (const { links: found, fits, pageOf, priority: wished } of wishesOf(wanted, page))
        for (const url of resolveLinks(found, baseUrl).urls) {
          const key = routes.keyOf(url)
          if (routed.has(key) || !fits(url) || routes.judge(url, from) === 'out') continue
          const name = pageOf(url)
          if (name === null) {
            unrouted.set(key, url)
            continue
          }
          // What fits no rule by one selector may be read by the rule that another one names.
          unrouted.delete(key)
          const priority = wished ?? routes.priorityOf(name)
          routed.set(key, { url: url.href, key, page: name, ...(priority !== 0 && { priority }) })
        }
      const [example] = unrouted.values()
      return {
        links: [...routed.values()],
        ...(example !== undefined && { unrouted: { count: unrouted.size, example: example.href } }),
      }
    },
  }
}
