import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeque, findIn, pushFirst, pushLast, takeFirst } from '../../src/core/deque.ts'

test('is a list that is pushed at both ends and taken from the first', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('first', 'last', 'last', 'take'), { maxLength: 300, size: 'max' }), steps => {
      const deque = createDeque<number>()
      const model: number[] = []
      for (const [value, step] of steps.entries()) {
        if (step === 'first') {
          pushFirst(deque, value)
          model.unshift(value)
        } else if (step === 'last') {
          pushLast(deque, value)
          model.push(value)
        } else {
          expect(takeFirst(deque)).toBe(model.shift())
        }
        expect(deque.size).toBe(model.length)
        const isOdd = (one: number): boolean => one % 2 === 1
        expect(findIn(deque, isOdd)).toBe(model.find(isOdd))
      }
      for (const value of model) expect(takeFirst(deque)).toBe(value)
      expect(takeFirst(deque)).toBeUndefined()
    }),
  )
})

test('holds neither values that left nor the room of a rush that is over', () => {
  const deque = createDeque<object>()
  for (let count = 0; count < 100_000; count++) pushLast(deque, {})
  while (takeFirst(deque) !== undefined);
  expect(deque.slots.length).toBeLessThanOrEqual(8)
  expect(deque.slots.every(slot => slot === undefined)).toBe(true)
})
