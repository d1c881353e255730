import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createPageBudget } from '../../src/gate/page-budget.ts'
import type { PageSlot } from '../../src/gate/permit.ts'
import { createRandom } from '../sim/random.ts'

const host = 'shop.test' as HostKey
const never = Number.POSITIVE_INFINITY
const make = (totalBytes = 100, reserveBytes = 40, mostBytes = reserveBytes) =>
  createPageBudget({ totalBytes, reserveBytes, mostBytes, onReturned: () => {} })

test('is open while another reserve fits', () => {
  const budget = make()
  budget.acquire(host)
  expect(budget.readyAtMs(host)).toBe(0)
  budget.acquire(host)
  expect(budget.readyAtMs(host)).toBe(never)
  expect(() => budget.acquire(host)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
})

test('a body within its reserve costs nothing more, and beyond it what it has grown by', () => {
  const budget = make()
  const slot = budget.acquire(host)
  slot.grow(30)
  slot.grow(10)
  expect(budget.heldBytes).toBe(40)
  slot.grow(25)
  expect(budget.heldBytes).toBe(65)
  expect(budget.readyAtMs(host)).toBe(never)
  slot[Symbol.dispose]()
  expect(budget.heldBytes).toBe(0)
  expect(budget.peakBytes).toBe(65)
})

test('with nothing held it is open, even for a page larger than the whole budget', () => {
  const budget = make(10, 40)
  const slot = budget.acquire(host)
  slot.grow(1_000)
  expect(budget.readyAtMs(host)).toBe(never)
  slot[Symbol.dispose]()
  expect(budget.readyAtMs(host)).toBe(0)
})

test('says so when a slot comes back, once, and a body that grows afterwards holds nothing', () => {
  let returned = 0
  const budget = createPageBudget({
    totalBytes: 100,
    reserveBytes: 40,
    mostBytes: 40,
    onReturned: () => (returned += 1),
  })
  const slot = budget.acquire(host)
  slot[Symbol.dispose]()
  slot[Symbol.dispose]()
  slot.grow(1_000)
  expect({ returned, heldBytes: budget.heldBytes, pages: budget.pages }).toEqual({
    returned: 1,
    heldBytes: 0,
    pages: 0,
  })
})

test('what a head says of a body counts at once, in place of what was reserved', () => {
  const budget = make(1_000, 10, 200)
  const large = budget.acquire(host)
  expect(budget.heldBytes).toBe(200)
  large.expect(150, true)
  expect(budget.heldBytes).toBe(150)
  large.grow(150)
  expect(budget.heldBytes).toBe(150)
  // More came than its head had said.
  large.grow(30)
  large.expect(180, true)
  expect(budget.heldBytes).toBe(180)
  // Never less than the reserve: a page is more than its body.
  budget.acquire('b.test' as HostKey).expect(1, true)
  expect(budget.heldBytes).toBe(190)
})

test('holds exactly what its slots hold, whatever comes', () => {
  const step = fc.oneof(fc.constant('acquire' as const), fc.constant('dispose' as const), fc.nat(100))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const budget = make(1_000, 40)
      const slots: { readonly slot: PageSlot; readonly reserve: number; bytes: number }[] = []
      for (const next of steps) {
        if (next === 'acquire') {
          if (budget.readyAtMs(host) > 0) continue
          const before = budget.heldBytes
          const slot = budget.acquire(host)
          slots.push({ slot, reserve: budget.heldBytes - before, bytes: 0 })
        } else if (next === 'dispose') slots.shift()?.slot[Symbol.dispose]()
        else {
          const last = slots.at(-1)
          last?.slot.grow(next)
          if (last !== undefined) last.bytes += next
        }
        expect(budget.heldBytes).toBe(slots.reduce((sum, { reserve, bytes }) => sum + Math.max(reserve, bytes), 0))
      }
    }),
  )
})

const large = 'large.test' as HostKey
const small = 'small.test' as HostKey

/** Pages of a host that have been and gone. */
function learn(budget: ReturnType<typeof make>, of: HostKey, bytes: number): void {
  for (let nth = 0; nth < 30; nth += 1) {
    const slot = budget.acquire(of)
    slot.expect(bytes, true)
    slot[Symbol.dispose]()
  }
}

test('a page is taken to need what pages of its host have needed', () => {
  const budget = make(1_000, 10, 1_000)
  learn(budget, large, 300)
  const slot = budget.acquire(large)
  expect(budget.heldBytes).toBeCloseTo(300, 0)
  slot.grow(300)
  expect(budget.heldBytes).toBeCloseTo(300, 0)
  // An answer without a body says nothing of those that have one.
  budget.acquire(large)[Symbol.dispose]()
  slot[Symbol.dispose]()
  budget.acquire(large)
  expect(budget.heldBytes).toBeCloseTo(300, 0)
})

test('a host alone has all of it, and no more than its part while another holds something', () => {
  const budget = make(1_000, 10, 1_000)
  learn(budget, large, 100)
  learn(budget, small, 5)
  const alone: PageSlot[] = []
  while (budget.readyAtMs(large) === 0 && alone.length < 100) alone.push(budget.acquire(large))
  expect(alone).toHaveLength(10)
  expect(budget.readyAtMs(small)).toBe(never)
  for (const slot of alone) slot[Symbol.dispose]()
  budget.acquire(small)
  let shared = 0
  while (budget.readyAtMs(large) === 0 && shared < 100) shared += budget.acquire(large) === undefined ? 0 : 1
  expect(shared).toBe(5)
  expect(budget.readyAtMs(small)).toBe(0)
})

test('hosts of large pages leave a quarter of it to small ones, as long as there are any', () => {
  const budget = make(1_000, 5, 100)
  const others = ['l1.test', 'l2.test', 'l3.test'] as HostKey[]
  for (const of of [large, ...others]) learn(budget, of, 100)
  learn(budget, small, 5)
  const begin = (): number => {
    const hosts = [large, ...others]
    let begun = 0
    for (let nth = 0; nth < 40; nth += 1) {
      const of = hosts[nth % 4] ?? large
      if (budget.readyAtMs(of) === 0) begun += budget.acquire(of) === undefined ? 0 : 1
    }
    return begun
  }
  const slot = budget.acquire(small)
  expect(begin()).toBe(7)
  expect(budget.readyAtMs(small)).toBe(0)
  slot[Symbol.dispose]()
  expect(begin()).toBeGreaterThan(0)
})

test('a host that was told to wait for its part is told when there may be one', () => {
  const told: HostKey[] = []
  const onReturned = (of: HostKey): void => void told.push(of)
  const budget = createPageBudget({ totalBytes: 100, reserveBytes: 30, mostBytes: 30, onReturned })
  const first = budget.acquire(small)
  budget.acquire(large)
  expect(budget.readyAtMs(large)).toBe(never)
  first[Symbol.dispose]()
  expect(told).toEqual([small, large])
  expect(budget.readyAtMs(large)).toBe(0)
})

/**
 * A parse stage that takes so many bytes a step, from the pages of all hosts in the order in which they came; one host has
 * pages of 20 MB, four have small ones, and requests cost nothing. How many small pages are read in the time?
 */
function smallPagesRead(isShared: boolean): number {
  const budget = make(256e6, 64e3, 20e6)
  const sizes = new Map<HostKey, number>([
    [large, 20e6],
    ...[1, 2, 3, 4].map(n => [`s${n}.test` as HostKey, 50e3] as const),
  ])
  const out = new Map<HostKey, number>()
  const queue: { readonly of: HostKey; readonly slot: PageSlot; leftBytes: number }[] = []
  let read = 0
  for (let step = 0; step < 4_000; step += 1) {
    for (;;) {
      const next = [...sizes.keys()]
        .filter(of => (out.get(of) ?? 0) < 64 && budget.readyAtMs(isShared ? of : host) === 0)
        .sort((a, b) => (out.get(a) ?? 0) - (out.get(b) ?? 0))[0]
      if (next === undefined || queue.length > 300) break
      const slot = budget.acquire(next)
      const bytes = sizes.get(next) ?? 0
      slot.expect(bytes, true)
      out.set(next, (out.get(next) ?? 0) + 1)
      queue.push({ of: next, slot, leftBytes: bytes })
    }
    for (let canBytes = 200e3; canBytes > 0; ) {
      const [first] = queue
      if (first === undefined) break
      const nowBytes = Math.min(canBytes, first.leftBytes)
      first.leftBytes -= nowBytes
      canBytes -= nowBytes
      if (first.leftBytes > 0) continue
      queue.shift()
      first.slot[Symbol.dispose]()
      out.set(first.of, (out.get(first.of) ?? 1) - 1)
      if (first.of !== large) read += 1
    }
  }
  return read
}

test('a host of pages of 20 MB does not make hosts of small ones go at its pace', () => {
  const shared = smallPagesRead(true)
  const alone = smallPagesRead(false)
  expect(shared / alone).toBeGreaterThan(2)
})

describe('hosts of which nothing is known', () => {
  const inFlightOf = (budget: ReturnType<typeof make>, of: HostKey): PageSlot[] => {
    const out: PageSlot[] = []
    while (budget.readyAtMs(of) === 0 && out.length < 1_000) out.push(budget.acquire(of))
    return out
  }
  const endAll = (slots: readonly PageSlot[], bytes: number | null): void => {
    for (const slot of slots) {
      if (bytes !== null) slot.expect(bytes, true)
      slot[Symbol.dispose]()
    }
  }

  test('have as many pages under way as could all be of the largest kind, and many more once small ones came', () => {
    const budget = make(64_000, 64, 10_000)
    const first = inFlightOf(budget, host)
    expect(first).toHaveLength(6)
    endAll(first, 20)
    expect(inFlightOf(budget, host).length).toBeGreaterThan(300)
  })

  test('are asked for no more at a time where their pages are large', () => {
    const budget = make(64_000, 64, 10_000)
    endAll(inFlightOf(budget, host), 9_000)
    expect(inFlightOf(budget, host).length).toBeLessThanOrEqual(7)
  })

  test('are taken to be as other hosts were, and have few pages under way until one has come', () => {
    const budget = make(64_000, 64, 10_000)
    for (let nth = 0; nth < 200; nth += 1) endAll([budget.acquire(`s${nth}.test` as HostKey)], 20)
    const first = inFlightOf(budget, host)
    expect(first).toHaveLength(6)
    expect(budget.heldBytes).toBe(6 * 64)
    first[0]?.expect(20, true)
    expect(inFlightOf(budget, host).length).toBeGreaterThan(5)
  })

  test('are asked as fast as any where they have no pages at all', () => {
    const budget = make(64_000, 64, 10_000)
    for (let round = 0; round < 10; round += 1) endAll(inFlightOf(budget, host), null)
    expect(inFlightOf(budget, host).length).toBeGreaterThan(300)
  })

  test('are not taken to have small pages because a host that is known redirects a thousand times', () => {
    const budget = make(64_000, 64, 10_000)
    endAll([budget.acquire(small)], 20)
    for (let nth = 0; nth < 1_000; nth += 1) endAll([budget.acquire(small)], null)
    budget.acquire(host)
    expect(budget.heldBytes).toBe(5_000)
  })

  test('are asked as fast without pages among hosts whose pages are as large as may be', () => {
    const budget = make(64_000, 64, 10_000)
    for (let nth = 0; nth < 10; nth += 1) endAll([budget.acquire(`l${nth}.test` as HostKey)], 10_000)
    for (let round = 0; round < 20; round += 1) endAll(inFlightOf(budget, host), null)
    expect(inFlightOf(budget, host).length).toBeGreaterThan(60)
  })

  test('are not taken to have small pages because another host refuses a thousand times', () => {
    const budget = make(64_000, 64, 10_000)
    for (let nth = 0; nth < 1_000; nth += 1) endAll([budget.acquire(small)], null)
    budget.acquire(host)
    expect(budget.heldBytes).toBeGreaterThan(8_000)
  })

  test('are taken to have small pages no sooner than many others had them', () => {
    const budget = make(64_000, 64, 10_000)
    for (let nth = 0; nth < 9; nth += 1) endAll([budget.acquire(`s${nth}.test` as HostKey)], 20)
    budget.acquire(host)
    expect(budget.heldBytes).toBe(1_000)
  })

  test('are not judged by their robots file, and those that wait hear of what a head has said', () => {
    const told: HostKey[] = []
    const onReturned = (of: HostKey): void => void told.push(of)
    const budget = createPageBudget({ totalBytes: 64_000, reserveBytes: 64, mostBytes: 10_000, onReturned })
    budget.acquire(host).expect(20, false)
    const slots = inFlightOf(budget, host)
    expect(slots).toHaveLength(6)
    expect(told).toEqual([])
    slots[0]?.expect(20, true)
    expect(told).toEqual([host])
  })
})

/**
 * Hosts of all kinds, whose answers come in any order: each says how large its body is or does not, comes piece by piece, and
 * is then held for a while.
 * @returns the most bytes of bodies that were there at a time
 */
function peakOf(seed: number, largeShare: number, totalBytes: number, mostBytes: number): number {
  const random = createRandom(seed)
  const budget = make(totalBytes, 64e3, mostBytes)
  const hosts = Array.from({ length: 60 }, (_, nth) => ({
    key: `h${nth}.test` as HostKey,
    sizeBytes: random() < largeShare ? mostBytes : 20e3,
    saysHow: random() < 0.7,
  }))
  const out: { readonly slot: PageSlot; readonly wholeBytes: number; readonly saysHow: boolean; cameBytes: number }[] =
    []
  let [bytes, peakBytes] = [0, 0]
  for (let step = 0; step < 3_000; step += 1) {
    const drawn = hosts[Math.floor(random() * hosts.length)]
    if (drawn === undefined) continue
    const { key, sizeBytes, saysHow } = drawn
    if (out.length < 256 && budget.readyAtMs(key) === 0)
      out.push({
        slot: budget.acquire(key),
        wholeBytes: Math.ceil(sizeBytes * (0.5 + random() / 2)),
        saysHow,
        cameBytes: -1,
      })
    const nth = Math.floor(random() * out.length)
    const page = out[nth]
    if (page === undefined || random() < 0.3) continue
    if (page.cameBytes < 0) {
      page.cameBytes = 0
      if (page.saysHow) page.slot.expect(page.wholeBytes, true)
    } else if (page.cameBytes < page.wholeBytes) {
      const pieceBytes = Math.min(page.wholeBytes - page.cameBytes, Math.ceil(mostBytes / 4))
      page.cameBytes += pieceBytes
      bytes += pieceBytes
      page.slot.grow(pieceBytes)
      if (page.cameBytes === page.wholeBytes) page.slot.expect(page.wholeBytes, true)
    } else {
      out.splice(nth, 1)
      bytes -= page.wholeBytes
      page.slot[Symbol.dispose]()
    }
    peakBytes = Math.max(peakBytes, bytes)
  }
  return peakBytes
}

test('what is held stays within one and a half of the budget, whatever hosts there are and whichever answer first', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, largeShare) => {
      expect(peakOf(seed, largeShare, 64e6, 10e6)).toBeLessThan(1.5 * 64e6)
    }),
  )
})
