import type { Clock } from '../core/clock.ts'
import type { HostKey } from '../core/url.ts'

/**
 * The addresses of hosts for those who must know them before a request may leave, and cannot wait: a first question sets
 * off a look-up and says "not known", and whoever asked is told when it is. An old answer holds until the next one is
 * there. A host that has no address is known to have none: its request then says why.
 */
export interface AddressBook {
  /** Null: not known yet. */
  addressesOf(name: string, host: HostKey): readonly string[] | null
}

export interface AddressBookOptions {
  readonly clock: Clock
  /** Empty: it has none. */
  readonly resolve: (name: string) => Promise<readonly string[]>
  /** Its addresses are known now. */
  readonly onKnown: (host: HostKey) => void
}

/** As long as the transport keeps them, so that both speak of the same. */
const freshForMs = 60_000
/** A system's resolver works on a few at a time; what is more only waits there. */
const atOnce = 16

interface Entry {
  /** Null: this is the first look-up. */
  addresses: readonly string[] | null
  /** Infinity while it is being looked up. */
  freshUntilMs: number
  /** Those who were told that it is not known: a name may stand for several ports. */
  readonly askers: Set<HostKey>
}

const newEntry = (): Entry => ({ addresses: null, freshUntilMs: Number.NEGATIVE_INFINITY, askers: new Set() })

export function createAddressBook({ clock, resolve, onKnown }: AddressBookOptions): AddressBook {
  const entries = new Map<string, Entry>()
  /** First in, first out: where the next one is, and those who went before are cut off now and then. */
  let waiting: string[] = []
  let first = 0
  let underWay = 0

  async function lookUp(name: string): Promise<void> {
    underWay += 1
    const addresses = await resolve(name).catch(() => [])
    underWay -= 1
    const entry = entries.get(name) ?? newEntry()
    entry.addresses = addresses
    entry.freshUntilMs = clock.nowMs() + freshForMs
    const askers = [...entry.askers]
    entry.askers.clear()
    lookUpWaiting()
    for (const host of askers) onKnown(host)
  }

  function lookUpWaiting(): void {
    for (let name = waiting[first]; name !== undefined && underWay < atOnce; name = waiting[first]) {
      first += 1
      void lookUp(name)
    }
    if (2 * first < waiting.length) return
    waiting = waiting.slice(first)
    first = 0
  }

  function entryOf(name: string): Entry {
    const known = entries.get(name)
    if (known !== undefined) return known
    const entry = newEntry()
    entries.set(name, entry)
    return entry
  }

  return {
    addressesOf(name, host) {
      const entry = entryOf(name)
      if (entry.addresses === null) entry.askers.add(host)
      if (clock.nowMs() >= entry.freshUntilMs) {
        entry.freshUntilMs = Number.POSITIVE_INFINITY
        waiting.push(name)
        lookUpWaiting()
      }
      return entry.addresses
    },
  }
}
