import { sortedQuery, urlKey } from '../core/url.ts'

/** What of a URL tells one page from another. Only its key is made by it: a URL is sent as it was found. */
export interface UrlRules {
  /** Names of parameters that no page depends on, in any case of letters; `utm_*` is every name that begins so. */
  readonly dropParameters: readonly string[]
  /** Whether the order of parameters says nothing. */
  readonly sortQuery: boolean
}

/**
 * Names that one product alone gives to its parameters, so that no site uses them for anything that shows: campaigns,
 * clicks on advertisements and letters, and the sessions of Java and PHP. Names such as `ref` or `sid` are not here:
 * on some site they choose the page.
 */
export const defaultUrlRules: UrlRules = {
  dropParameters: [
    'utm_*',
    // Advertisements: Google, Microsoft, Meta, Yandex, TikTok, X.
    ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'srsltid', 'msclkid', 'fbclid', 'igshid'],
    ...['yclid', 'ttclid', 'twclid'],
    // Letters and measurements: Mailchimp, HubSpot, Marketo, Google Analytics.
    ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', 'mkt_tok', '_ga', '_gl'],
    // Sessions of visitors without cookies, who get a URL of their own for each page.
    ...['jsessionid', 'phpsessid'],
  ],
  sortQuery: true,
}

function createNameTest(names: readonly string[]): (name: string) => boolean {
  const lower = names.map(name => name.toLowerCase())
  const whole = new Set(lower.filter(name => !name.endsWith('*')))
  const beginnings = lower.filter(name => name.endsWith('*')).map(name => name.slice(0, -1))
  return name => whole.has(name) || beginnings.some(beginning => name.startsWith(beginning))
}

const nameOf = (parameter: string): string => (/^[^=]*/.exec(parameter)?.[0] ?? '').toLowerCase()

/** The key of a URL by the rules of a job; by `urlKey` where they drop nothing. */
export function createUrlKey({ dropParameters, sortQuery }: UrlRules): (url: URL) => string {
  const isDropped = createNameTest(dropParameters)
  const without = (text: string, separator: string): string =>
    text
      .split(separator)
      .filter(part => part !== '' && !isDropped(nameOf(part)))
      .join(separator)
  const queryOf = (query: string): string => {
    if (query === '') return query
    const kept = without(query, '&')
    return sortQuery ? sortedQuery(kept) : kept
  }
  /** Parameters may stand behind a piece of the path, too: `/list;jsessionid=1A2B`. */
  const pathOf = (path: string): string =>
    path.includes(';')
      ? path.replace(/;([^;/]*)/g, (written, parameter: string) => (isDropped(nameOf(parameter)) ? '' : written))
      : path
  return url => urlKey(url, queryOf, pathOf)
}
