import { expect, test } from 'vitest'
import { createLineFit } from '../../src/analyse/line-fit.ts'

function fitOf(counts: readonly number[], msOf: (count: number, nth: number) => number) {
  const fit = createLineFit()
  for (const [nth, count] of counts.entries()) fit.record(count, msOf(count, nth))
  return fit
}
const various = [1, 20, 7, 13, 2, 18, 9, 11]

test('what each costs is told apart from what every time costs', () => {
  expect(fitOf(various, count => 500 + 2 * count).eachMs()).toBeCloseTo(2, 9)
  expect(fitOf(various, count => 3 * count).eachMs()).toBeCloseTo(3, 9)
  expect(fitOf(various, () => 500).eachMs()).toBeCloseTo(0, 9)
})

test('each costs neither less than nothing nor more than the mean, whatever chance makes of it', () => {
  expect(fitOf(various, count => 100 - 4 * count).eachMs()).toBe(0)
  const steep = fitOf(various, count => 10 * count - 9)
  expect(steep.eachMs()).toBeLessThan(10)
  expect(steep.eachMs()).toBeGreaterThan(9)
})

test('counts that are few or all alike tell nothing', () => {
  expect(createLineFit().eachMs()).toBe(null)
  expect(fitOf([1, 20, 7], count => count).eachMs()).toBe(null)
  const alike = Array.from({ length: 100 }, (_, nth) => 100 + (nth % 2))
  expect(fitOf(alike, (_, nth) => (nth % 7) * 10).eachMs()).toBe(null)
})
