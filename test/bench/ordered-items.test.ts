import { expect, test } from 'vitest'
import { createOrderedItems } from '../../src/bench/ordered-items.ts'

function gather(total: number) {
  const written: string[] = []
  const items = createOrderedItems(total, lines => void written.push(Buffer.from(lines).toString()))
  const read = (nth: number): void => items.read(nth, Buffer.from(`${nth}`), 1)
  return { items, read, written }
}

test('lines come in the order that was settled before, as soon as those before them have ended', () => {
  const { items, read, written } = gather(4)
  for (const nth of [2, 0, 1, 3]) read(nth)
  items.ended(1, true)
  expect(written).toEqual([])
  items.ended(0, true)
  expect(written).toEqual(['0', '1'])
  items.ended(3, true)
  items.ended(2, true)
  expect(written).toEqual(['0', '1', '2', '3'])
})

test('a page that does not count holds nobody up, and gives nothing', () => {
  const { items, read, written } = gather(3)
  for (const nth of [0, 1, 2]) read(nth)
  items.ended(0, false)
  items.ended(2, true)
  items.ended(1, true)
  expect(written).toEqual(['1', '2'])
  expect(items.finish().items).toBe(2)
})

test('pages that never ended give nothing, and what came behind them is given in the end', () => {
  const { items, read, written } = gather(3)
  for (const nth of [0, 1, 2]) read(nth)
  items.ended(2, true)
  expect(written).toEqual([])
  expect(items.finish().items).toBe(1)
  expect(written).toEqual(['2'])
})

test('the same lines have the same sum, whichever page ended first', () => {
  const sums = [
    [0, 1, 2],
    [2, 1, 0],
  ].map(order => {
    const { items, read } = gather(3)
    for (const nth of order) {
      read(nth)
      items.ended(nth, true)
    }
    return items.finish().sha256
  })
  expect(sums[0]).toBe(sums[1])
})
