import type { Clock } from '../core/clock.ts'
import type { HostKey } from '../core/url.ts'
import type { Resolver } from '../fetch/resolver.ts'
import { createAddressBook } from '../gate/address-book.ts'
import { createGroupGate, type GroupGate } from '../gate/group-gate.ts'
import { hostGroups } from '../gate/host-groups.ts'
import type { Limits } from '../job/job.ts'

export interface HostBoundsOptions {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'perDomain' | 'perAddress'>
  readonly resolver: Resolver
  /** Its gates may say something else now. False: nothing of the host is due. */
  readonly wake: (host: HostKey) => boolean
}

/** What a job bounds beside single hosts; undefined: nothing. */
export function createHostBounds({ clock, limits, resolver, wake }: HostBoundsOptions): GroupGate | undefined {
  if (limits.perDomain === null && limits.perAddress === null) return undefined
  const book = createAddressBook({
    clock,
    async resolve(name) {
      const resolved = await resolver.resolve(name)
      return resolved.kind === 'resolved' ? resolved.addresses.map(({ address }) => address) : []
    },
    onKnown: wake,
  })
  return createGroupGate({ ...hostGroups({ ...limits, addressesOf: book.addressesOf }), call: wake })
}
