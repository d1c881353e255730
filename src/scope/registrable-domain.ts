import { lateLibrary } from '../core/late-library.ts'

const publicSuffixes = lateLibrary<typeof import('tldts')>('tldts')

/**
 * What somebody registered: `books.test` for `www.books.test`. Suffixes under which a company lets others publish
 * (github.io) count as suffixes, as they do for browsers. An address, `localhost` or a bare name stands for itself.
 */
export const registrableDomain = (hostname: string): string =>
  publicSuffixes().getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
