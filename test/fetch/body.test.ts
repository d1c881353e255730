import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBody, trustedBytes } from '../../src/fetch/body.ts'

test('what came in comes out, whatever was declared, and can be moved to a thread', () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(100_000), { nil: null }),
      fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 12 }),
      (declaredBytes, chunks) => {
        const body = createBody(declaredBytes)
        for (const chunk of chunks) body.add(chunk)
        const whole = body.take()
        expect(Buffer.compare(whole, Buffer.concat(chunks))).toBe(0)
        expect([whole.byteOffset, whole.buffer.byteLength]).toEqual([0, whole.length])
        expect(structuredClone(whole, { transfer: [whole.buffer] }).length).toBe(
          whole.buffer.byteLength === 0 ? chunks.flatMap(chunk => [...chunk]).length : -1,
        )
        expect(body.take().length).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})

test('a promise of many bytes gets no memory: room follows what came', () => {
  const before = process.memoryUsage().arrayBuffers
  const bodies = Array.from({ length: 20 }, () => createBody(Number.MAX_SAFE_INTEGER))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(20 * trustedBytes + 2 ** 20)
  for (const body of bodies) {
    body.add(new Uint8Array([1, 2, 3]))
    expect([...body.take()]).toEqual([1, 2, 3])
  }
})

test('a pooled chunk leaves its neighbours alone when the body is moved', () => {
  const neighbour = Buffer.from('abc')
  const pooled = Buffer.from('xyz')
  expect(pooled.buffer).toBe(neighbour.buffer)
  const body = createBody(3)
  body.add(pooled)
  const whole = body.take()
  structuredClone(whole, { transfer: [whole.buffer] })
  expect([neighbour.toString(), pooled.toString()]).toEqual(['abc', 'xyz'])
})
