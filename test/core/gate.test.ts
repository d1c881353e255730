import { expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { allOf, type Gate, once } from '../../src/core/gate.ts'
import { hostKey } from '../../src/core/url.ts'

const host = hostKey(new URL('http://a.test/'))

interface Counted extends Gate<Disposable> {
  out: number
}

function counted(readyAtMs: number, fails = false): Counted {
  const gate: Counted = {
    out: 0,
    readyAtMs: () => readyAtMs,
    acquire() {
      if (fails) throw new MillraceError('INVARIANT', 'closed')
      gate.out += 1
      return { [Symbol.dispose]: once(() => (gate.out -= 1)) }
    },
  }
  return gate
}

test('gates together are ready when the last of them is', () => {
  expect(allOf({ a: counted(5), b: counted(9) }).readyAtMs(host)).toBe(9)
  expect(allOf({ a: counted(0), b: counted(Number.POSITIVE_INFINITY) }).readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
})

test('gates together give all their grants, and take all back', () => {
  const [a, b] = [counted(0), counted(0)]
  const grants = allOf({ a, b }).acquire(host)
  expect([a.out, b.out]).toEqual([1, 1])
  grants[Symbol.dispose]()
  grants[Symbol.dispose]()
  expect([a.out, b.out]).toEqual([0, 0])
})

test('a gate that fails half-way leaves nothing taken', () => {
  const [a, b] = [counted(0), counted(0, true)]
  expect(() => allOf({ a, b }).acquire(host)).toThrow(MillraceError)
  expect(a.out).toBe(0)
})

test('one grant of several can be given back early, and only once', () => {
  const [a, b] = [counted(0), counted(0)]
  const grants = allOf({ a, b }).acquire(host)
  grants.a[Symbol.dispose]()
  expect([a.out, b.out]).toEqual([0, 1])
  grants[Symbol.dispose]()
  expect([a.out, b.out]).toEqual([0, 0])
})
