import { compilePattern, type UrlTest } from './pattern.ts'

/** Tells which page rule reads a URL. */
export interface Router {
  /** The name of the first rule that fits; null when none does. */
  pageOf(url: URL): string | null
}

/** @throws CONFIG_INVALID a pattern is malformed */
export function createRouter(pages: readonly { readonly name: string; readonly match: string | null }[]): Router {
  const rules = pages.map(({ name, match }, index): { name: string; fits: UrlTest } => ({
    name,
    fits: match === null ? () => true : compilePattern(match, `pages[${index}].match`),
  }))
  return {
    pageOf(url) {
      for (const { name, fits } of rules) if (fits(url)) return name
      return null
    },
  }
}
