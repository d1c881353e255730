import { hostKey, sendableUrl } from '../core/url.ts'
import { withoutPort } from '../scope/host-name.ts'
import { type Headers, isSecret } from './check-headers.ts'
import type { HostOverride, SeedSource } from './job.ts'
import type { Problems } from './problems.ts'

type Hosts = Readonly<Record<string, HostOverride>>

const nothing: HostOverride = {
  perHost: null,
  rate: null,
  delayMs: null,
  headers: {},
  allowPrivate: false,
  reason: null,
}

const own = (hosts: Hosts, name: string): HostOverride | undefined =>
  Object.hasOwn(hosts, name) ? hosts[name] : undefined

/**
 * Headers of a job that are secrets, moved to where they are meant for: the hosts of its seeds. Links, redirects and
 * robots files lead to other hosts, and those are strangers.
 */
export function settleSecrets(
  headers: Headers,
  hosts: Hosts,
  seeds: readonly SeedSource[],
  problems: Problems,
): { readonly headers: Headers; readonly hosts: Hosts } {
  const names = Object.keys(headers).filter(isSecret)
  if (names.length === 0) return { headers, hosts }
  const secrets = Object.fromEntries(Object.entries(headers).filter(([name]) => isSecret(name)))
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecret(name)))
  const bySeed = new Map<string, HostOverride>()
  for (const source of seeds) {
    if (source.kind === 'file') {
      for (const name of names)
        problems.say(
          ['headers', name],
          'secrets go to the hosts of the seeds, and those of a file are not known yet; write it under `hosts`',
        )
      break
    }
    const url = sendableUrl(source.seed.url)
    if (url === null) continue
    const host = hostKey(url)
    const override = own(hosts, host) ?? own(hosts, withoutPort(host)) ?? nothing
    bySeed.set(host, { ...override, headers: { ...secrets, ...override.headers } })
  }
  return { headers: others, hosts: Object.fromEntries([...Object.entries(hosts), ...bySeed]) }
}
