import { type Gate, mustBeOpen, once } from '../core/gate.ts'
import { createTimeHeap, type HeapEntry, type TimeHeap } from '../core/time-heap.ts'
import type { HostKey } from '../core/url.ts'

/**
 * Bounds what is under way over all hosts that have something in common: a registrable domain, an address. Many of the
 * names of a large site are one machine, which a bound for each name does not spare.
 *
 * A group that is full may have 10,000 hosts waiting for one place, so a place that comes back does not send all of them
 * to ask again, but one: the one that has waited longest. Whoever is asked and leaves a place free passes the word on to
 * the next (it may be paused, or its robots file may be missing). So as long as a place is free and somebody waits for it,
 * somebody is on the way to ask, and a place costs two questions however many wait.
 */
export interface GroupGate extends Gate<Disposable> {
  /** The host was asked, and does not want a place now: one that it was called for is somebody else's. */
  pass(host: HostKey): void
  /** The groups that keep it waiting, in a few words each. */
  explain(host: HostKey): readonly string[]
}

export interface GroupGateOptions {
  /** The groups of a host: it needs a place in each. Null: not known yet, and the host is asked again once it is. */
  readonly groupsOf: (host: HostKey) => readonly string[] | null
  /** Requests under way in one group. */
  readonly maxOf: (name: string) => number
  /** A place is free: the host may ask again. False: nothing of it is wanted any more, so that another may be called. */
  readonly call: (host: HostKey) => boolean
}

interface Group {
  readonly max: number
  taken: number
  /** By when they began to wait. */
  readonly waiting: TimeHeap<HostKey>
  readonly entries: Map<HostKey, HeapEntry<HostKey>>
}

export function createGroupGate({ groupsOf, maxOf, call }: GroupGateOptions): GroupGate {
  const groups = new Map<string, Group>()
  /** A host keeps its turn until it has had it. */
  const tickets = new Map<HostKey, number>()
  let lastTicket = 0

  const isFull = ({ taken, max }: Group): boolean => taken >= max

  function groupOf(name: string): Group {
    const known = groups.get(name)
    if (known !== undefined) return known
    const group: Group = { max: maxOf(name), taken: 0, waiting: createTimeHeap(), entries: new Map() }
    groups.set(name, group)
    return group
  }

  function wait(host: HostKey, group: Group): void {
    if (group.entries.has(host)) return
    const ticket = tickets.get(host) ?? ++lastTicket
    tickets.set(host, ticket)
    group.entries.set(host, group.waiting.push(ticket, host))
  }

  /** It waits no longer. */
  function leave(host: HostKey, names: readonly string[]): void {
    if (!tickets.delete(host)) return
    for (const name of names) {
      const group = groups.get(name)
      const entry = group?.entries.get(host)
      if (group === undefined || entry === undefined) continue
      group.waiting.remove(entry)
      group.entries.delete(host)
    }
  }

  /** Those that do not want a place any more are passed over. */
  function callNext(name: string): void {
    const group = groups.get(name)
    while (group !== undefined && !isFull(group)) {
      const host = group.waiting.pop()
      if (host === undefined) break
      group.entries.delete(host)
      if (call(host)) return
      tickets.delete(host)
    }
    if (group?.taken === 0 && group.waiting.size === 0) groups.delete(name)
  }

  function pass(host: HostKey): void {
    if (tickets.size === 0) return
    const names = groupsOf(host) ?? []
    leave(host, names)
    for (const name of names) callNext(name)
  }

  const isFullNow = (name: string): boolean => {
    const group = groups.get(name)
    return group !== undefined && isFull(group)
  }

  return {
    pass,
    explain(host) {
      const names = groupsOf(host)
      if (names === null) return ['its address is being looked up']
      return names.filter(isFullNow).map(name => `${name} has its ${maxOf(name)} in flight`)
    },
    readyAtMs(host) {
      const names = groupsOf(host)
      if (names === null) return Number.POSITIVE_INFINITY
      const full = names.filter(isFullNow)
      if (full.length === 0) {
        pass(host)
        return 0
      }
      for (const name of full) wait(host, groupOf(name))
      // It may have been called for a place that it cannot take yet.
      for (const name of names) callNext(name)
      return Number.POSITIVE_INFINITY
    },
    acquire(host) {
      const names = groupsOf(host)
      const isOpen = names !== null && !names.some(isFullNow)
      mustBeOpen(isOpen ? 0 : Number.POSITIVE_INFINITY, 0, 'the gate of its groups', host)
      for (const name of names ?? []) groupOf(name).taken += 1
      return {
        [Symbol.dispose]: once(() => {
          for (const name of names ?? []) {
            groupOf(name).taken -= 1
            callNext(name)
          }
        }),
      }
    },
  }
}
