import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const threads = 2
const rounds = 40

/** Each round is a first time of its own, and waits until the other threads have come as far. */
const source = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { module, ready, threads, rounds } = workerData
  async function main() {
    for (let round = 1; round <= rounds; round++) {
      const { collectGarbage } = await import(module + '?' + round)
      Atomics.add(ready, 0, 1)
      while (Atomics.load(ready, 0) < threads * round);
      collectGarbage('most')
    }
    return 'collected'
  }
  main().catch(thrown => {
    Atomics.store(ready, 0, threads * rounds)
    return String(thrown)
  }).then(told => parentPort.postMessage(told))`

test('threads that collect garbage for the first time at the same moment all do', async () => {
  const module = new URL('../../src/parse/collect-garbage.ts', import.meta.url).href
  const ready = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { module, ready, threads, rounds }
  const workers = Array.from({ length: threads }, () => new Worker(source, { eval: true, workerData }))
  const told = await Promise.all(workers.map(async worker => (await once(worker, 'message'))[0]))
  expect(told).toEqual(Array.from({ length: threads }, () => 'collected'))
})
