import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createPageBudget } from '../../src/gate/page-budget.ts'
import type { PageSlot } from '../../src/gate/permit.ts'

const host = 'shop.test' as HostKey
const never = Number.POSITIVE_INFINITY
const make = (totalBytes = 100, reserveBytes = 40) =>
  createPageBudget({ totalBytes, reserveBytes, onReturned: () => {} })

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
  const budget = createPageBudget({ totalBytes: 100, reserveBytes: 40, onReturned: () => (returned += 1) })
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
    slot.grow(bytes)
    slot[Symbol.dispose]()
  }
}

test('a page is taken to need what pages of its host have needed', () => {
  const budget = make(1_000, 10)
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
  const budget = make(1_000, 10)
  learn(budget, large, 100)
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

test('a host that was told to wait for its part is told when there may be one', () => {
  const told: HostKey[] = []
  const budget = createPageBudget({ totalBytes: 100, reserveBytes: 30, onReturned: of => told.push(of) })
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
  const budget = createPageBudget({ totalBytes: 256e6, reserveBytes: 64e3, onReturned: () => {} })
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
      slot.grow(bytes)
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
