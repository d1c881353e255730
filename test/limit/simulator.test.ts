import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventHeap } from './event-heap.ts'
import { utilisation } from './scenarios/scenario.ts'
import { createWorld } from './simulator.ts'

test('events come in the order of their times', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ noNaN: true }), { freq: 3 })), steps => {
      const heap = createEventHeap<{ readonly atMs: number }>()
      const model: number[] = []
      for (const atMs of steps) {
        if (atMs === null) expect(heap.pop()?.atMs).toBe(model.shift())
        else {
          heap.push({ atMs })
          model.push(atMs)
          model.sort((a, b) => a - b)
        }
      }
      for (const atMs of model) expect(heap.pop()?.atMs).toBe(atMs)
      expect(heap.pop()).toBeNull()
    }),
  )
})

test('a known number of requests keeps a server as busy as the law of Little says', () => {
  const world = createWorld({ seed: 1, seconds: 101 })
  const server = world.server({ law: 'fixed' })
  const client = world.client(server, { policy: 'fixed', max: 8 })
  world.run()
  // 8 requests, each 100 ms with a worker and 10 ms on the network.
  expect(utilisation(server, 8, 10, 100)).toBeCloseTo(100 / 110, 2)
  expect(client.verdicts.good.sum(10, 100)).toBeCloseTo((8 / 0.11) * 90, -2)
  expect(client.verdicts.refused.sum(0, 100)).toBe(0)
})

test('what fits neither the workers nor the queue is refused', () => {
  const world = createWorld({ seed: 1, seconds: 11 })
  const client = world.client(world.server({ workers: 2, queue: 3, law: 'fixed' }), { policy: 'fixed', max: 6 })
  world.run()
  expect(client.verdicts.refused.sum(0, 10)).toBeGreaterThan(0)
  expect(client.verdicts.good.sum(0, 10)).toBeGreaterThan(180)
})

test('the same seed is the same run', () => {
  const play = (seed: number): readonly number[] => {
    const world = createWorld({ seed, seconds: 20 })
    const client = world.client(world.server({ hangRatio: 0.01 }), { policy: 'aimd', start: 2, max: 64 })
    world.run()
    return client.sentAtMs
  }
  expect(play(1)).toEqual(play(1))
  expect(play(1)).not.toEqual(play(2))
})
