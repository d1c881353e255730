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
      const slots: { readonly slot: PageSlot; bytes: number }[] = []
      for (const next of steps) {
        if (next === 'acquire') {
          if (budget.readyAtMs(host) === 0) slots.push({ slot: budget.acquire(host), bytes: 0 })
        } else if (next === 'dispose') slots.shift()?.slot[Symbol.dispose]()
        else {
          const last = slots.at(-1)
          last?.slot.grow(next)
          if (last !== undefined) last.bytes += next
        }
        expect(budget.heldBytes).toBe(slots.reduce((sum, { bytes }) => sum + Math.max(40, bytes), 0))
      }
    }),
  )
})
