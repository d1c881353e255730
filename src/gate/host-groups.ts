import { isIP } from 'node:net'
import type { HostKey } from '../core/url.ts'
import type { Limits } from '../job/job.ts'
import { withoutPort } from '../scope/host-name.ts'
import { registrableDomain } from '../scope/registrable-domain.ts'
import type { GroupGateOptions } from './group-gate.ts'

export interface HostGroupsOptions extends Pick<Limits, 'perDomain' | 'perAddress'> {
  /** By name, without port. Null: not known yet. */
  readonly addressesOf: (name: string, host: HostKey) => readonly string[] | null
}

const domainPrefix = 'domain '

/** A name without port and without the brackets of an address. */
const nameOf = (host: HostKey): string => withoutPort(host).replace(/^\[|\]$/g, '')

/**
 * What hosts have in common, as far as the job bounds it. A host with several addresses counts at each of them: which one
 * a connection goes to is not known before, and a bound must hold whichever it is.
 */
export function hostGroups({
  perDomain,
  perAddress,
  addressesOf,
}: HostGroupsOptions): Pick<GroupGateOptions, 'groupsOf' | 'maxOf'> {
  const domains = (host: HostKey): string[] =>
    perDomain === null ? [] : [`${domainPrefix}${registrableDomain(withoutPort(host))}`]

  function addresses(host: HostKey): readonly string[] | null {
    if (perAddress === null) return []
    const name = nameOf(host)
    return isIP(name) === 0 ? addressesOf(name, host) : [name]
  }

  return {
    groupsOf(host) {
      const known = addresses(host)
      return known === null ? null : [...domains(host), ...known.map(address => `address ${address}`)]
    },
    maxOf: name => (name.startsWith(domainPrefix) ? perDomain : perAddress) ?? Number.POSITIVE_INFINITY,
  }
}
