import { expect, test } from 'vitest'
import { nearest } from '../../src/core/nearest.ts'

const keys = ['selector', 'value', 'type', 'maxDepth', 'include', 'exclude']

test.each([
  ['slector', 'selector', 'a letter left out'],
  ['selectors', 'selector', 'a letter too many'],
  ['sleector', 'selector', 'two neighbours swapped'],
  ['tpye', 'type', 'two neighbours swapped in a short name'],
  ['maxdepth', 'maxDepth', 'another case'],
  ['valu', 'value', 'the end left out'],
  ['exlude', 'exclude', 'the closer of two similar names'],
])('%s was meant to be %s: %s', (typo, meant) => {
  expect(nearest(typo, keys)).toBe(meant)
})

test.each(['colour', 'x', '', 'v', 'a'.repeat(100_000)])('nothing is near to %s', name => {
  expect(nearest(name, keys)).toBeNull()
})

test('of equally near names the first one is meant', () => {
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
})

test('two names of ten thousand letters are not compared letter by letter', () => {
  expect(nearest('x'.repeat(10_000), ['x'.repeat(9_999)])).toBeNull()
})
