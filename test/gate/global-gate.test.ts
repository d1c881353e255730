import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createGlobalGate } from '../../src/gate/global-gate.ts'

const host = 'shop.test' as HostKey

test('the global gate is open until as many as its bound are under way, over all hosts', () => {
  let returned = 0
  const gate = createGlobalGate({
    max: 2,
    onReturned: () => {
      returned += 1
    },
  })
  const first = gate.acquire(host)
  gate.acquire('other.test' as HostKey)
  expect(gate.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
  expect(() => gate.acquire(host)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  expect({ returned, inFlight: gate.inFlight, peak: gate.peak }).toEqual({ returned: 1, inFlight: 1, peak: 2 })
  expect(gate.readyAtMs(host)).toBe(0)
})
