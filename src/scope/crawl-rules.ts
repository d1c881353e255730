import type { UrlRules } from './url-key.ts'

/** How far a job goes, and what of what it finds it goes after. */
export interface CrawlRules {
  readonly urls: UrlRules
  /** Whether pages may say what of them is followed and kept: `rel=nofollow`, robots in `<meta>`, X-Robots-Tag. */
  readonly nofollow: 'obey' | 'ignore'
  /**
   * What the word of a page that it is another one's is worth. `follow`: it is a redirect. `use`: it is read, unless the
   * other one is known. `ignore`: nothing.
   */
  readonly canonical: 'follow' | 'use' | 'ignore'
  /** Whether a page with the text of one that was read before counts. */
  readonly sameContent: 'keep' | 'skip'
  /** Null: no URL is taken for a trap. */
  readonly traps: TrapRules | null
  readonly budget: Budget
}

export interface TrapRules {
  /** URLs of one pattern that are followed before it may count as endless. */
  readonly perPattern: number
}

/** What one start of a run may spend before it ends by itself; null: no bound. */
export interface Budget {
  readonly pages: number | null
  readonly timeMs: number | null
  /** Bodies as they came. */
  readonly bytes: number | null
  /** Of one host: its other URLs are left alone, and the run goes on. */
  readonly perHost: { readonly pages: number | null }
}

export const noBudget: Budget = { pages: null, timeMs: null, bytes: null, perHost: { pages: null } }

/**
 * `nofollow` says that a site does not vouch for where a link leads, and `noindex` what search engines may show; whom a
 * site does not want it names in its robots file. Canonical URLs are wrong on many sites (all pages of a list name the
 * first), so nothing is lost by them unless a job asks for it.
 */
export const defaultCrawlRules: Omit<CrawlRules, 'urls'> = {
  nofollow: 'ignore',
  canonical: 'ignore',
  sameContent: 'keep',
  // A calendar of three years.
  traps: { perPattern: 1_000 },
  budget: noBudget,
}
