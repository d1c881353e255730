import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGramIndex } from '../../src/robots/gram-index.ts'

const piecesOf = (pattern: string): readonly string[] => pattern.split('*')
const foundIn = (patterns: readonly string[], text: string): readonly string[] =>
  [...createGramIndex(patterns, piecesOf)(text)].flat()

describe('an index of patterns by what a text must contain', () => {
  test('finds all whose pieces are in the text, each once', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 12 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 30 })
    fc.assert(
      fc.property(fc.uniqueArray(pattern, { maxLength: 40 }), text, (patterns, path) => {
        const found = foundIn(patterns, path)
        const mayFit = patterns.filter(one => piecesOf(one).every(piece => path.includes(piece)))
        expect(mayFit.filter(one => !found.includes(one))).toEqual([])
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })

  test('gives those of a list in the order in which it was given them', () => {
    expect(foundIn(['*one', '*one*', '*one**'], 'one')).toEqual(['*one', '*one*', '*one**'])
  })

  test('knows that a pattern without any piece may fit everything', () => {
    expect(foundIn(['*', '', '**'], '')).toEqual(['*', '', '**'])
  })

  test.each([
    ['begin with a star', (number: number) => `*-${number}`],
    ['have a star behind the first slash', (number: number) => `/*/item-${number}.html`],
    ['have the same beginning and the same end', (number: number) => `/shop/*id=${number}*&sort=price`],
  ])('tries few of 30,000 that %s', (_name, patternOf) => {
    const patterns = Array.from({ length: 30_000 }, (_, number) => patternOf(10_000 + number))
    const path = '/shop/all/item-23456.html?id=34567&sort=price'
    expect(foundIn(patterns, path).length).toBeLessThan(200)
  })
})
