import { getDomain } from 'tldts'

/**
 * What somebody registered: `books.test` for `www.books.test`. Suffixes under which a company lets others publish
 * (github.io) count as suffixes, as they do for browsers. An address, `localhost` or a bare name stands for itself.
 */
export const registrableDomain = (hostname: string): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
