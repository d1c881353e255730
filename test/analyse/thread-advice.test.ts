import { expect, test } from 'vitest'
import { threadAdviceOf } from '../../src/analyse/thread-advice.ts'

const use = { threads: 4, durationMs: 10_000, pages: 1_000 }

test.each([
  [2_000, 'Worker threads were idle 95 % of the time: 1 thread would do (--threads 1).'],
  [12_000, 'Worker threads were idle 70 % of the time: 2 threads would do (--threads 2).'],
  [20_000, 'Worker threads were idle 50 % of the time: 3 threads would do (--threads 3).'],
  [22_000, null],
  [39_000, null],
])('four threads that used %i ms of CPU in ten seconds', (workerCpuMs, advice) => {
  expect(threadAdviceOf({ ...use, workerCpuMs })).toBe(advice)
})

test('a short run, a small one and one with a single thread say nothing', () => {
  expect(threadAdviceOf({ ...use, workerCpuMs: 0, durationMs: 1_000 })).toBeNull()
  expect(threadAdviceOf({ ...use, workerCpuMs: 0, pages: 10 })).toBeNull()
  expect(threadAdviceOf({ ...use, workerCpuMs: 0, threads: 1 })).toBeNull()
})
