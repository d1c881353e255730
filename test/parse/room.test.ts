import { expect, test } from 'vitest'
import { createRoom } from '../../src/parse/room.ts'

const megabyte = 1e6

/** A thread of 10 MB under a ceiling of 256 MB, with what it holds, and what of that is garbage. */
function thread() {
  const state = { heldBytes: 10 * megabyte, garbageBytes: 0, collections: 0, thorough: 0 }
  const room = createRoom({
    ceilingBytes: 256 * megabyte,
    heldBytes: () => state.heldBytes,
    collect: how => {
      state.collections += 1
      if (how === 'all') state.thorough += 1
      const bytes = how === 'all' ? state.garbageBytes : state.garbageBytes * 0.9
      state.heldBytes -= bytes
      state.garbageBytes -= bytes
    },
  })
  const hold = (megabytes: number, { isGarbage = false } = {}): void => {
    state.heldBytes += megabytes * megabyte
    if (isGarbage) state.garbageBytes += megabytes * megabyte
  }
  return { room, state, hold, begin: () => room.begin(state.heldBytes) }
}

test('an array that brings its thread above the ceiling is refused, with its size, the sum and the ceiling', () => {
  const { room } = thread()
  expect(() => room.ask(246 * megabyte)).not.toThrow()
  expect(() => room.ask(247 * megabyte)).toThrow(
    new RangeError('an array of 247 MB would make its thread hold 257 MB of memory, above the ceiling of 256 MB'),
  )
})

test('many middle ones that a page keeps are refused as one large one is', () => {
  const { room, hold, begin } = thread()
  begin()
  for (let nth = 0; nth < 24; nth += 1) {
    room.ask(10 * megabyte)
    hold(10)
  }
  expect(() => room.ask(10 * megabyte)).toThrow(RangeError)
})

test('what nobody holds any more is collected before an array is refused, where that can help', () => {
  const { room, state, hold, begin } = thread()
  begin()
  hold(150, { isGarbage: true })
  room.ask(40 * megabyte)
  expect(state.collections).toBe(0)
  expect(() => room.ask(1_000 * megabyte)).toThrow(RangeError)
  expect(state.collections).toBe(0)
  room.ask(100 * megabyte)
  expect(state.collections).toBe(1)
})

test('what former pages left behind refuses a page nothing that it would get in a new thread', () => {
  const { room, hold, begin } = thread()
  hold(200)
  begin()
  expect(() => room.ask(100 * megabyte)).not.toThrow()
  expect(() => room.ask(247 * megabyte)).toThrow('hold 257 MB')
})

test('garbage of former pages that is collected meanwhile gives a page no room', () => {
  const { room, hold, begin } = thread()
  hold(200, { isGarbage: true })
  begin()
  expect(() => room.ask(247 * megabyte)).toThrow('hold 257 MB')
})

test('a page that fills its room with small arrays has garbage collected a few times, and not for each', () => {
  const { room, state, hold, begin } = thread()
  begin()
  const fill = (): void => {
    for (;;) {
      room.ask(0.1 * megabyte)
      hold(0.1)
    }
  }
  expect(fill).toThrow('hold 256 MB')
  expect(state.collections).toBeLessThan(5)
  expect(fill).toThrow(RangeError)
  expect(state.collections).toBeLessThan(5)
})

test('all garbage is collected only where most of it is not enough', () => {
  const { room, state, hold, begin } = thread()
  begin()
  hold(200, { isGarbage: true })
  room.ask(200 * megabyte)
  expect(state).toMatchObject({ collections: 1, thorough: 0 })
  room.ask(240 * megabyte)
  expect(state).toMatchObject({ collections: 2, thorough: 1 })
})
