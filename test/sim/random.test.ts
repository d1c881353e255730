import { expect, test } from 'vitest'
import { createRandom, createSimEnv } from './random.ts'

const draw = (random: () => number, count: number): number[] => Array.from({ length: count }, random)

test('one seed gives one sequence, another seed another', () => {
  expect(draw(createRandom(7), 100)).toEqual(draw(createRandom(7), 100))
  expect(draw(createRandom(7), 100)).not.toEqual(draw(createRandom(8), 100))
})

test('numbers are in [0, 1) and spread evenly', () => {
  const numbers = draw(createRandom(1), 100_000)
  const tenths = new Array<number>(10).fill(0)
  expect(numbers.every(number => number >= 0 && number < 1)).toBe(true)
  for (const number of numbers) {
    const tenth = Math.floor(number * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  // Binomial: 10,000 expected in each, standard deviation 95.
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

test('neighbouring seeds are not neighbours in what they give', () => {
  const firsts = Array.from({ length: 1000 }, (_, seed) => createRandom(seed)())
  const mean = firsts.reduce((sum, first) => sum + first, 0) / firsts.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
})

test('a simulated environment has both', () => {
  const { clock, random } = createSimEnv(3)
  expect(clock.nowMs()).toBe(0)
  expect(random()).toBe(createRandom(3)())
})
