import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host)

const familyOf = (family: number | string | undefined): number =>
  typeof family === 'string' ? Number(family.slice(3)) : (family ?? 0)

/**
 * Addresses of a name. `localhost` and all below it never leave the machine (RFC 6761, 6.3): no resolver is asked,
 * so none can send them elsewhere.
 */
export const lookup: LookupFunction = (host, options, callback) => {
  if (!isLocalName(host)) return systemLookup(host, options, callback)
  const family = familyOf(options.family)
  const found = loopback.filter(address => family === 0 || address.family === family)
  const [first] = found
  queueMicrotask(() => {
    if (options.all === true) callback(null, [...found])
    else callback(null, first?.address ?? '', first?.family)
  })
}
