import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createLanes } from '../../src/frontier/lanes.ts'
import { createGroupGate } from '../../src/gate/group-gate.ts'
import { hostGroups } from '../../src/gate/host-groups.ts'
import { taskOf } from '../frontier/tasks.ts'

const hosts = (count: number, domain: string): HostKey[] =>
  Array.from({ length: count }, (_, nth) => `h${nth}.${domain}` as HostKey)
const domainOf = (host: HostKey): string[] => [host.replace(/^[^.]+\./, '')]
const nobody = (): boolean => true

describe('what hosts have in common', () => {
  const names = (host: string, perDomain: number | null, perAddress: number | null, known: readonly string[] | null) =>
    hostGroups({ perDomain, perAddress, addressesOf: () => known }).groupsOf(host as HostKey)

  test.each([
    ['www.books.test:8080', ['domain books.test']],
    ['a.b.books.co.uk', ['domain books.co.uk']],
    ['someone.github.io', ['domain someone.github.io']],
    ['localhost:3000', ['domain localhost']],
    ['192.0.2.1:81', ['domain 192.0.2.1']],
  ])('%s belongs to %j', (host, expected) => {
    expect(names(host, 8, null, null)).toEqual(expected)
  })

  test('a host with several addresses counts at each of them', () => {
    expect(names('a.test', null, 8, ['192.0.2.1', '192.0.2.2'])).toEqual(['address 192.0.2.1', 'address 192.0.2.2'])
  })

  test('an address needs no look-up', () => {
    expect(names('[2001:db8::1]:81', null, 8, null)).toEqual(['address 2001:db8::1'])
  })

  test('nothing is said of a host before its addresses are known', () => {
    expect(names('a.test', 8, 8, null)).toBe(null)
  })
})

describe('a bound over a group of hosts', () => {
  const [a, b, c] = hosts(3, 'one.test') as [HostKey, HostKey, HostKey]
  const other = 'x.two.test' as HostKey

  test('holds over all hosts of the group and no other', () => {
    const gate = createGroupGate({ groupsOf: domainOf, maxOf: () => 2, call: nobody })
    gate.acquire(a)
    gate.acquire(b)
    expect(gate.readyAtMs(c)).toBe(Number.POSITIVE_INFINITY)
    expect(gate.readyAtMs(other)).toBe(0)
    expect(() => gate.acquire(c)).toThrow(/closed/)
    expect(gate.explain(c)).toEqual(['one.test has its 2 in flight'])
  })

  test('a place that comes back calls the host that has waited longest, and no other', () => {
    const called: HostKey[] = []
    const gate = createGroupGate({ groupsOf: domainOf, maxOf: () => 1, call: host => called.push(host) > 0 })
    const place = gate.acquire(a)
    for (const host of [b, c]) gate.readyAtMs(host)
    place[Symbol.dispose]()
    place[Symbol.dispose]()
    expect(called).toEqual([b])
  })

  test('a host that was called and cannot leave passes the word on, and one of which nothing is wanted is passed over', () => {
    const called: HostKey[] = []
    const gate = createGroupGate({
      groupsOf: domainOf,
      maxOf: () => 1,
      call: host => called.push(host) > 0 && host !== b,
    })
    const place = gate.acquire(a)
    for (const host of [b, c, a]) gate.readyAtMs(host)
    place[Symbol.dispose]()
    expect(called).toEqual([b, c])
    gate.pass(c)
    expect(called).toEqual([b, c, a])
  })
})

test('whatever hosts do, no group is above its bound, every place comes back, and nobody waits beside a free one', () => {
  const all = [...hosts(6, 'one.test'), ...hosts(4, 'two.test'), 'h0.three.test' as HostKey]
  fc.assert(
    fc.property(
      fc.array(fc.record({ host: fc.constantFrom(...all), tasks: fc.integer({ min: 1, max: 5 }) }), { maxLength: 20 }),
      fc.array(fc.record({ pick: fc.nat(), shut: fc.constantFrom(null, ...all) }), { minLength: 1, maxLength: 60 }),
      (seeds, steps) => {
        const lanes = createLanes()
        const gate = createGroupGate({
          groupsOf: domainOf,
          maxOf: () => 2,
          call(host) {
            lanes.wake(host)
            return lanes.sizeOf(host) > 0
          },
        })
        const out: { readonly host: HostKey; readonly place: Disposable }[] = []
        let [nth, total, taken] = [0, 0, 0]
        for (const { host, tasks } of seeds)
          for (let n = 0; n < tasks; n += 1) lanes.pushLast(taskOf(`http://${host}/${nth++}`))
        total = nth
        const takenOf = (name: string): number => out.filter(({ host }) => domainOf(host)[0] === name).length

        /** `shut` is a host that another gate keeps from leaving for now. */
        function admit(shut: HostKey | null): void {
          const ready = (host: HostKey): number => {
            if (host !== shut) return gate.readyAtMs(host)
            gate.pass(host)
            return 1
          }
          for (let task = lanes.next(0, ready); task !== null; task = lanes.next(0, ready)) {
            out.push({ host: task.host, place: gate.acquire(task.host) })
            lanes.end(task.host)
            taken += 1
            expect(takenOf(domainOf(task.host)[0] ?? '')).toBeLessThanOrEqual(2)
          }
          for (const host of all)
            if (host !== shut && lanes.sizeOf(host) > 0) expect(takenOf(domainOf(host)[0] ?? '')).toBe(2)
        }

        for (const { pick, shut } of steps) {
          admit(shut)
          const [ended] = out.splice(pick % Math.max(1, out.length), 1)
          ended?.place[Symbol.dispose]()
          if (shut !== null) lanes.wake(shut)
        }
        while (taken < total) {
          admit(null)
          for (const { place } of out.splice(0)) place[Symbol.dispose]()
        }
        for (const { place } of out) place[Symbol.dispose]()
        for (const host of all) expect(gate.explain(host)).toEqual([])
      },
    ),
  )
})
