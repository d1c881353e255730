import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFingerprintSet } from '../../src/frontier/stores/fingerprint-set.ts'

test('answers as a set of strings does', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 500, size: 'max' }), texts => {
      const set = createFingerprintSet()
      const model = new Set<string>()
      const answers = texts.map(text => [set.has(text), set.add(text), set.has(text), set.size])
      const expected = texts.map(text => [model.has(text), !model.has(text), true, model.add(text).size])
      expect(answers).toEqual(expected)
    }),
  )
})

test('tells 200,000 URLs apart that differ little, and knows each of them afterwards', () => {
  const set = createFingerprintSet()
  const urlOf = (index: number): string =>
    index % 2 === 0
      ? `https://h${index % 1000}.test/item-${index}/index.html`
      : `https://shop.test/p?id=${index}&page=2`
  let fresh = 0
  for (let index = 0; index < 200_000; index++) if (set.add(urlOf(index))) fresh += 1
  expect(fresh).toBe(200_000)
  let known = 0
  for (let index = 0; index < 200_000; index++) if (set.has(urlOf(index))) known += 1
  expect(known).toBe(200_000)
})

test('tells every pair of code units from every other', () => {
  const set = createFingerprintSet()
  let fresh = 0
  for (let first = 0; first < 500; first++)
    for (let second = 0; second < 500; second++) if (set.add(String.fromCharCode(first, second))) fresh += 1
  expect(fresh).toBe(250_000)
})
