import { hostKey } from '../core/url.ts'
import { withoutPort } from './host-name.ts'
import { compilePattern } from './pattern.ts'
import { registrableDomain } from './registrable-domain.ts'
import type { ScopeRules } from './rules.ts'

/** Tells whether a URL belongs to a job. Depth is not judged here: it is a property of the way to a URL, not of the URL. */
export interface Scope {
  /**
   * @param from the page on which `url` was found, itself in scope: the host of a seed that was read from a file is
   * known by its pages alone, so a link may always stay where it was found
   */
  judge(url: URL, from?: URL): 'in' | 'out'
}

type Territory = (url: URL, from: URL | undefined) => boolean

function createTerritory(within: ScopeRules['within'], seedHosts: readonly string[]): Territory {
  if (within === 'any') return () => true
  const hosts = new Set(seedHosts)
  const isSameHost: Territory = (url, from) =>
    hosts.has(hostKey(url)) || (from !== undefined && hostKey(url) === hostKey(from))
  if (within === 'same-host') return isSameHost
  const domainOf = (host: string): string => registrableDomain(withoutPort(host))
  const domains = new Set(seedHosts.map(domainOf))
  return (url, from) => {
    if (isSameHost(url, from)) return true
    const domain = domainOf(hostKey(url))
    return domains.has(domain) || (from !== undefined && domain === domainOf(hostKey(from)))
  }
}

/**
 * @param seedHosts host keys of the seeds that are known from the start
 * @throws CONFIG_INVALID a pattern is malformed
 */
export function createScope(rules: ScopeRules, seedHosts: readonly string[]): Scope {
  const isWithin = createTerritory(rules.within, seedHosts)
  const included = rules.include.map((text, index) => compilePattern(text, `scope.include[${index}]`))
  const excluded = rules.exclude.map((text, index) => compilePattern(text, `scope.exclude[${index}]`))
  return {
    judge(url, from) {
      const isIn =
        isWithin(url, from) &&
        (included.length === 0 || included.some(fits => fits(url))) &&
        !excluded.some(fits => fits(url))
      return isIn ? 'in' : 'out'
    },
  }
}
