import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeHeap, type HeapEntry } from '../../src/core/time-heap.ts'

test('gives values by time, equal times in the order in which they came, whatever is taken out in between', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), atMs: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ kind: fc.constant('pop' as const) }),
    fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), steps => {
      const heap = createTimeHeap<number>()
      let model: { readonly atMs: number; readonly value: number; readonly entry: HeapEntry<number> }[] = []
      const first = () => model.toSorted((a, b) => a.atMs - b.atMs || a.value - b.value)[0]
      for (const [value, next] of steps.entries()) {
        if (next.kind === 'push') {
          model.push({ atMs: next.atMs, value, entry: heap.push(next.atMs, value) })
        } else if (next.kind === 'pop') {
          const expected = first()
          expect(heap.pop()).toBe(expected?.value)
          model = model.filter(one => one !== expected)
        } else {
          const picked = model[next.pick % Math.max(1, model.length)]
          if (picked !== undefined) heap.remove(picked.entry)
          if (picked !== undefined) heap.remove(picked.entry)
          model = model.filter(one => one !== picked)
        }
        expect(heap.size).toBe(model.length)
        expect([...heap.values()].toSorted((a, b) => a - b)).toEqual(model.map(({ value }) => value))
        expect(heap.firstAtMs).toBe(first()?.atMs ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})
