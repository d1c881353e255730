import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item, JsonValue } from '../../src/core/wire.ts'
import { detached } from '../../src/stage/item-lines.ts'
import { linesOf } from '../../src/stage/line-format.ts'

const textOf = (items: readonly Item[]): string => new TextDecoder('utf-8', { fatal: true }).decode(linesOf(items))

test('any items are as many lines of JSON, which read back as they were', () => {
  const item = fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter(name => name !== '__proto__'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.array(item), items => {
      const plain: unknown = JSON.parse(JSON.stringify(items))
      const lines = textOf(items as Item[]).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map(line => JSON.parse(line))).toEqual(plain)
      expect(detached(items as Item[])).toEqual(plain)
    }),
  )
})

test('half a character does not break the line', () => {
  expect(textOf([{ title: 'a\ud83d' }])).toBe('{"title":"a\\ud83d"}\n')
})

test('a field that cannot be written is null, and the others stay', () => {
  let deep: JsonValue = []
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep]
  expect(textOf([{ title: 'x', deep, price: 1 }])).toBe('{"title":"x","deep":null,"price":1}\n')
})

test('no items are no bytes', () => {
  expect(linesOf([]).byteLength).toBe(0)
})
